import type { PreparingClient } from '@saleschannel/database';
import { readSnapshot, type OutboxSnapshot } from './outbox-rows.ts';

export interface FloorTimes {
  readonly advanceEveryMs: number;
  /** Interval between reads of the outbox from its beginning. */
  readonly readAllEveryMs: number;
}

const defaultTimes: FloorTimes = { advanceEveryMs: 1_000, readAllEveryMs: 60_000 };

/**
 * Limits memory while a transaction stays open. Forgetting the ids only means that later rows must be read before they
 * are published.
 */
const MAX_TAKEN = 10_000;

/**
 * An id up to which the outbox has no unpublished row and will get none. Reads begin after it. Without a floor, each
 * read would walk over all deleted rows that a long snapshot, such as that of an audit or a dump, keeps in the index.
 *
 * PostgreSQL numbers rows without gaps, so the floor rises with each published row that follows it. Such a row needs no
 * read, because no older row is unpublished. A gap is the row of another replica, of an open transaction, or of a
 * rolled back one, and rows after it must be read. A transaction may take an id long before it commits, so the floor
 * passes a gap only when every transaction that could fill it has ended: those that had begun to write one second after
 * the gap was seen. In case a transaction takes longer than that from its id to its first write, the outbox is read
 * from the beginning once a minute.
 */
export class OutboxFloor {
  readonly #times: FloorTimes;
  #value = 0n;
  /** Published ids after a gap. */
  readonly #taken = new Set<bigint>();
  #highestSeen = 0n;
  #isFromStart = false;
  #candidate: { readonly upto: bigint; endsBefore?: bigint } | undefined;
  #advanceAt = 0;
  #readAllAt: number;

  constructor(times: Partial<FloorTimes> = {}) {
    this.#times = { ...defaultTimes, ...times };
    this.#readAllAt = performance.now() + this.#times.readAllEveryMs;
  }

  /** Where the next read begins. An int8 as text. */
  get value(): string {
    return this.#isFromStart ? '0' : String(this.#value);
  }

  /** Whether published rows come after unknown ids, so that later rows must be read. */
  get hasGap(): boolean {
    return this.#value < this.#highestSeen;
  }

  /** Drops all state, because another relay may have published meanwhile. */
  restart(): void {
    this.#value = this.#highestSeen = 0n;
    this.#taken.clear();
    this.#candidate = undefined;
  }

  /** Records rows that were read. */
  recordRead(rows: readonly { readonly id: string }[]): void {
    this.#isFromStart = false;
    for (const { id } of rows) this.#see(BigInt(id));
  }

  /** Records a row that is published or being published. */
  recordPublished(id: string): void {
    const taken = BigInt(id);
    this.#see(taken);
    if (taken <= this.#value) return;
    if (this.#taken.size === MAX_TAKEN) this.#taken.clear();
    this.#taken.add(taken);
    this.#climb();
  }

  /** Records that a taken row was not published and must be read again. */
  recordFailed(id: string): void {
    const back = BigInt(id);
    this.#taken.delete(back);
    if (back <= this.#value) this.#value = back - 1n;
    this.#candidate = undefined;
  }

  /** Selects the rows that no unpublished row precedes. `isAll` is false if a gap keeps some of them back. */
  selectPublishable<Row extends { readonly id: string }>(rows: readonly Row[]): { next: Row[]; isAll: boolean } {
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

  /** Moves the floor past gaps, at intervals. Once per `readAllEveryMs`, makes the next read begin at the start. */
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
    const [edge] = await client.run<OutboxSnapshot>(readSnapshot(String(this.#value), taken));
    if (edge) this.#advance(edge);
  }

  #see(id: bigint): void {
    if (id > this.#highestSeen) this.#highestSeen = id;
  }

  #climb(): void {
    while (this.#taken.delete(this.#value + 1n)) this.#value++;
  }

  #advance({ xmin, xmax, lowest }: OutboxSnapshot): void {
    const free = lowest === null ? this.#highestSeen : BigInt(lowest) - 1n;
    if (!this.#candidate) this.#candidate = { upto: free };
    else if (this.#candidate.endsBefore === undefined) this.#candidate.endsBefore = BigInt(xmax);
    else if (BigInt(xmin) >= this.#candidate.endsBefore) {
      // Rows committed meanwhile are visible in the same snapshot that shows the end of their transaction.
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
