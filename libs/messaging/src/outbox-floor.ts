import type { PreparingClient } from '@saleschannel/database';
import { readEdge, type Edge } from './outbox-rows.ts';

export interface FloorTimes {
  readonly advanceEveryMs: number;
  /** How often the outbox is read from the beginning all the same. */
  readonly readAllEveryMs: number;
}

const usualTimes: FloorTimes = { advanceEveryMs: 1_000, readAllEveryMs: 60_000 };

/** Bounds what is remembered while a transaction stays open. Forgotten rows only have to be read to be published. */
const TAKEN_AT_MOST = 10_000;

/**
 * An id up to which the outbox has no row that the relay has not published, and gets none any more. Reading begins
 * behind it. Otherwise a snapshot that somebody holds, such as an audit or a dump, keeps all deleted rows in the index,
 * and each reading walks over them.
 *
 * PostgreSQL numbers rows without gaps, so the floor rises with each published row that follows it. Such a row may go
 * without a reading: nothing older is left. A gap is a row of another replica, of a transaction that has not ended, or
 * of none, and no row behind it goes unread. A transaction may take an id long before it commits, so the floor passes a
 * gap only when every transaction that could fill it has ended: those that had begun to write a second after the gap
 * was seen. In case one waited for longer than that second between its id and its first write, everything is read once
 * a minute.
 */
export class OutboxFloor {
  readonly #times: FloorTimes;
  #value = 0n;
  /** Published ids behind a gap. */
  readonly #taken = new Set<bigint>();
  #highestSeen = 0n;
  #isFromStart = false;
  #candidate: { readonly upto: bigint; endsBefore?: bigint } | undefined;
  #advanceAt = 0;
  #readAllAt: number;

  constructor(times: Partial<FloorTimes> = {}) {
    this.#times = { ...usualTimes, ...times };
    this.#readAllAt = performance.now() + this.#times.readAllEveryMs;
  }

  /** Where to begin the next reading. An int8 as text. */
  get value(): string {
    return this.#isFromStart ? '0' : String(this.#value);
  }

  /** Whether published rows are behind ids of which nothing is known, so that their successors have to be read. */
  get hasGap(): boolean {
    return this.#value < this.#highestSeen;
  }

  /** Forgets everything: another relay may have published meanwhile. */
  restart(): void {
    this.#value = this.#highestSeen = 0n;
    this.#taken.clear();
    this.#candidate = undefined;
  }

  /** These rows were read. */
  saw(rows: readonly { readonly id: string }[]): void {
    this.#isFromStart = false;
    for (const { id } of rows) this.#see(BigInt(id));
  }

  /** This row is published, or on its way. */
  took(id: string): void {
    const taken = BigInt(id);
    this.#see(taken);
    if (taken <= this.#value) return;
    if (this.#taken.size === TAKEN_AT_MOST) this.#taken.clear();
    this.#taken.add(taken);
    this.#climb();
  }

  /** This row was taken and has to be read again. */
  gaveBack(id: string): void {
    const back = BigInt(id);
    this.#taken.delete(back);
    if (back <= this.#value) this.#value = back - 1n;
    this.#candidate = undefined;
  }

  /** Those of the given rows that nothing unpublished precedes, and whether that is all that was not taken before. */
  following<Row extends { readonly id: string }>(rows: readonly Row[]): { next: Row[]; isAll: boolean } {
    const next: Row[] = [];
    let end = this.#value;
    for (const row of rows.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))) {
      const id = BigInt(row.id);
      while (this.#taken.has(end + 1n)) end++;
      if (id <= end || this.#taken.has(id)) continue;
      if (id !== end + 1n) return { next, isAll: false };
      next.push(row);
      end = id;
    }
    return { next, isAll: true };
  }

  /** Moves the floor past gaps if it is time. Once in a while the next reading begins at the beginning. */
  async advanceIfDue(client: Pick<PreparingClient, 'run'>): Promise<void> {
    const now = performance.now();
    if (now < this.#advanceAt) return;
    this.#advanceAt = now + this.#times.advanceEveryMs;
    if (now >= this.#readAllAt) {
      this.#readAllAt = now + this.#times.readAllEveryMs;
      this.#isFromStart = true;
      return;
    }
    if (!this.hasGap) return;
    const taken = [...this.#taken].map(String);
    const [edge] = await client.run<Edge>(readEdge(String(this.#value), taken));
    if (edge) this.#advance(edge);
  }

  #see(id: bigint): void {
    if (id > this.#highestSeen) this.#highestSeen = id;
  }

  #climb(): void {
    while (this.#taken.delete(this.#value + 1n)) this.#value++;
  }

  #advance({ xmin, xmax, lowest }: Edge): void {
    const free = lowest === null ? this.#highestSeen : BigInt(lowest) - 1n;
    if (!this.#candidate) this.#candidate = { upto: free };
    else if (this.#candidate.endsBefore === undefined) this.#candidate.endsBefore = BigInt(xmax);
    else if (BigInt(xmin) >= this.#candidate.endsBefore) {
      // What was committed meanwhile is seen by the same snapshot as the end of its transaction.
      const upto = this.#candidate.upto < free ? this.#candidate.upto : free;
      if (upto > this.#value) this.#rise(upto);
      this.#candidate = { upto: free };
    }
  }

  #rise(value: bigint): void {
    this.#value = value;
    for (const id of this.#taken) if (id <= value) this.#taken.delete(id);
    this.#climb();
  }
}
