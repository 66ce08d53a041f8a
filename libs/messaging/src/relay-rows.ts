import { deleteRows, type OutboxRow, MESSAGES_PER_ROUND } from './outbox-rows.ts';
import { MAX_MESSAGE_BYTES } from './envelope.ts';
import type { OutboxFloor } from './outbox-floor.ts';

/** Rows that this process has committed and not published yet, as many as one round publishes. */
export class CommittedRows {
  #rows: OutboxRow[] = [];
  #bytes = 0;
  #isFull = false;

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      this.#isFull ||= this.#rows.length === MESSAGES_PER_ROUND || this.#bytes > MAX_MESSAGE_BYTES;
      if (this.#isFull) return;
      this.#rows.push(row);
      this.#bytes += row.body.length;
    }
  }

  /** Takes the rows that may be published without a read of the outbox. `isAll` is false if a read must find more. */
  take(floor: OutboxFloor): { next: OutboxRow[]; isAll: boolean } {
    const { next, isAll } = floor.selectPublishable(this.#rows);
    const isFull = this.#isFull;
    this.clear();
    return { next, isAll: isAll && !isFull };
  }

  clear(): void {
    this.#rows = [];
    this.#bytes = 0;
    this.#isFull = false;
  }
}

/**
 * Limits the memory of unconfirmed rows, per type, so that stalled consumers of one type do not block others. Only an
 * in-process broker reaches the limit.
 */
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024;
/** Memory of a row in addition to its body. */
const ROW_OVERHEAD_BYTES = 4 * 1024;

const countBytes = ({ body }: OutboxRow): number => body.length + ROW_OVERHEAD_BYTES;

/** Rows that the broker has not confirmed yet. */
export class RowsInFlight {
  readonly #rows = new Map<string, OutboxRow>();
  readonly #bytes = new Map<string, number>();

  get size(): number {
    return this.#rows.size;
  }

  /** Id of the oldest row. */
  get oldest(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const id of this.#rows.keys()) if (oldest === undefined || BigInt(id) < oldest) oldest = BigInt(id);
    return oldest;
  }

  ids(): Iterable<string> {
    return this.#rows.keys();
  }

  /** Returns the types whose rows exceed the limit. */
  fullTypes(): Set<string> {
    const full = [...this.#bytes].filter(([, bytes]) => bytes > MAX_BYTES_IN_FLIGHT);
    return new Set(full.map(([type]) => type));
  }

  add(row: OutboxRow): void {
    this.#rows.set(row.id, row);
    this.#addBytes(row.type, countBytes(row));
  }

  delete(id: string): void {
    this.#rows.delete(id);
  }

  /** Frees the memory of a row that the broker has answered. */
  free(row: OutboxRow): void {
    this.#addBytes(row.type, -countBytes(row));
  }

  #addBytes(type: string, bytes: number): void {
    this.#bytes.set(type, (this.#bytes.get(type) ?? 0) + bytes);
  }
}

/** Rows that the broker has confirmed and that are not deleted yet. */
export class PublishedRows {
  readonly #ids: string[] = [];
  #since: number | undefined;

  get count(): number {
    return this.#ids.length;
  }

  /** When the oldest was published, on the `performance.now()` clock. */
  get since(): number {
    return this.#since ?? Infinity;
  }

  add(id: string): void {
    this.#ids.push(id);
    this.#since ??= performance.now();
  }

  /** Returns the statement that deletes the rows, to be sent before the next read, and a callback for its success. */
  toDeletion(): { statements: ReturnType<typeof deleteRows>[]; done: () => void } {
    const ids = [...this.#ids];
    return {
      statements: ids.length > 0 ? [deleteRows(ids)] : [],
      done: () => {
        this.#ids.splice(0, ids.length);
        this.#since = this.#ids.length > 0 ? performance.now() : undefined;
      },
    };
  }
}
