import type { Database } from '@saleschannel/database';
import { query } from '@saleschannel/database';

const ROWS_PER_FETCH = 500;

/** At most this many listings hold a connection at once; a slow reader must not keep writers from theirs. */
const LISTINGS_AT_ONCE = 4;

/** A queue before a bounded number of places. */
class Places {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

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
export async function* streamRows<Row extends object>(
  database: Database,
  text: string,
  params: unknown[],
): AsyncGenerator<Row[]> {
  const release = await places.take();
  const em = database.em();
  try {
    await em.begin();
    await query(em, `declare listing no scroll cursor for ${text}`, params);
    for (;;) {
      const rows = await query<Row>(em, `fetch ${ROWS_PER_FETCH} from listing`);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_PER_FETCH) return;
    }
  } finally {
    await em.rollback().catch(() => undefined);
    release();
  }
}

/** A JSON array in pieces, from pages of rows. */
export async function* jsonArray<Row>(
  pages: AsyncIterable<Row[]>,
  render: (row: Row) => string,
): AsyncGenerator<Buffer> {
  let opened = false;
  for await (const rows of pages) {
    yield Buffer.from(`${opened ? ',' : '['}${rows.map(render).join(',')}`);
    opened = true;
  }
  yield Buffer.from(opened ? ']' : '[]');
}
