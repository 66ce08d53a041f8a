import { query, queryFirst, raw, sql, type Database, type EntityManager, type Sql } from '@saleschannel/database';

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

  /** Waits for a place. Answers what gives it back. */
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

export interface PageOf<Row> {
  /** How many rows the whole list has, an int8 as text. */
  readonly total: string;
  readonly rows: Row[];
}

/** How many rows there are, an int8 as text. */
export async function countRows(em: EntityManager, source: Sql): Promise<string> {
  const row = await queryFirst<{ total: string }>(em, sql`select count(*)::text as total ${source}`);
  if (!row) throw new Error('a count has no row');
  return row.total;
}
