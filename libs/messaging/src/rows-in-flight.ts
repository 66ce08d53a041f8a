import { deleteRows, type OutboxRow } from './outbox-rows.ts';

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
