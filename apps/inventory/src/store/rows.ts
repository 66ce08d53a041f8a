import { query, raw, sql, type Database, type Sql } from '@saleschannel/database';

const ROWS_PER_FETCH = 500;
const fetchRows = sql`fetch ${raw(String(ROWS_PER_FETCH))} from listing`;

/** At most this many listings hold a connection at once. A slow reader must not keep writers from theirs. */
const LISTINGS_AT_ONCE = 4;

/** A queue before a bounded number of places. */
class Places {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Waits for a place. Returns what gives it back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    return () => {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    };
  }
}

const places = new Places(LISTINGS_AT_ONCE);

/** Reads a result of any length with flat memory: one snapshot, a cursor, a page of rows at a time. */
export async function* streamRows<Row extends object>(database: Database, statement: Sql): AsyncGenerator<Row[]> {
  const release = await places.take();
  const em = database.em();
  try {
    await em.begin();
    await query(em, sql`declare listing no scroll cursor for ${statement}`);
    for (;;) {
      const rows = await query<Row>(em, fetchRows);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_PER_FETCH) return;
    }
  } finally {
    await em.rollback().catch(() => undefined);
    release();
  }
}
