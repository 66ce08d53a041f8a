import type { PreparingClient } from '@saleschannel/database';
import { readEdge, type Edge } from './outbox-rows.ts';

export interface FloorTimes {
  readonly advanceEveryMs: number;
  /** How often the outbox is read from the beginning all the same. */
  readonly readAllEveryMs: number;
}

const usualTimes: FloorTimes = { advanceEveryMs: 1_000, readAllEveryMs: 60_000 };

/**
 * An id below which the outbox has no rows and gets none any more. Reading begins behind it. Otherwise a snapshot that
 * somebody holds, such as an audit or a dump, keeps all deleted rows in the index, and each reading walks over them.
 *
 * A transaction may take an id long before it commits, so an id counts only when every transaction that could have
 * taken a lower one has ended: those that had begun to write a second after the id was seen free. In case one waited
 * for longer than that second between its id and its first write, everything is read once a minute.
 */
export class OutboxFloor {
  readonly #times: FloorTimes;
  #value = 0n;
  #highestSeen = 0n;
  #candidate: { readonly upto: bigint; endsBefore?: bigint } | undefined;
  #advanceAt = 0;
  #readAllAt: number;

  constructor(times: Partial<FloorTimes> = {}) {
    this.#times = { ...usualTimes, ...times };
    this.#readAllAt = performance.now() + this.#times.readAllEveryMs;
  }

  /** An int8 as text. */
  get value(): string {
    return String(this.#value);
  }

  /** These rows were read. */
  saw(rows: readonly { readonly id: string }[]): void {
    for (const { id } of rows) if (BigInt(id) > this.#highestSeen) this.#highestSeen = BigInt(id);
  }

  /** Moves the floor up if it is time. Once in a while it goes back to the beginning. */
  async advanceIfDue(client: Pick<PreparingClient, 'run'>): Promise<void> {
    const now = performance.now();
    if (now < this.#advanceAt) return;
    this.#advanceAt = now + this.#times.advanceEveryMs;
    if (now >= this.#readAllAt) {
      this.#readAllAt = now + this.#times.readAllEveryMs;
      this.#value = 0n;
      this.#candidate = undefined;
      return;
    }
    const [edge] = await client.run<Edge>(readEdge(this.value));
    if (edge) this.#advance(edge);
  }

  #advance({ xmin, xmax, lowest }: Edge): void {
    const free = lowest === null ? this.#highestSeen : BigInt(lowest) - 1n;
    if (!this.#candidate) this.#candidate = { upto: free };
    else if (this.#candidate.endsBefore === undefined) this.#candidate.endsBefore = BigInt(xmax);
    else if (BigInt(xmin) >= this.#candidate.endsBefore) {
      // What was committed meanwhile is seen by the same snapshot as the end of its transaction.
      const upto = this.#candidate.upto < free ? this.#candidate.upto : free;
      if (upto > this.#value) this.#value = upto;
      this.#candidate = { upto: free };
    }
  }
}
