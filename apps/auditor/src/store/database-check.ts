import { Client } from 'pg';
import type { Check, DatabaseName } from '../domain/check.ts';

const ROWS_AT_ONCE = 2_000;

/** A read-only snapshot of a database. */
export interface Snapshot {
  /** Reads rows with a cursor, so that memory stays flat at any number. */
  rows<Row extends object>(text: string, values?: readonly unknown[]): AsyncGenerator<Row>;
  all<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  hasTable(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Snapshots of all databases. */
export type Snapshots = Readonly<Record<DatabaseName, Snapshot>>;

/** @throws Error that names the database, without the password */
async function openSnapshot(name: string, url: string): Promise<Snapshot> {
  const client = new Client({ connectionString: url, application_name: 'auditor', connectionTimeoutMillis: 10_000 });
  // Pending queries fail by themselves. Without a listener, the process would end.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    // Checks read whole tables, perhaps without statistics, where a nested loop would take hours.
    await client.query("set local work_mem = '32MB'; set local enable_nestloop = off; set local jit = off");
    // PostgreSQL takes the snapshot at the first statement.
    await client.query('select 1');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new Error(`The database of ${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  let cursors = 0;
  return {
    async *rows<Row extends object>(text: string, values: readonly unknown[] = []) {
      const cursor = `cursor_${cursors++}`;
      await client.query(`declare ${cursor} no scroll cursor for ${text}`, [...values]);
      for (;;) {
        const { rows } = await client.query<Row>(`fetch ${ROWS_AT_ONCE} from ${cursor}`);
        yield* rows;
        if (rows.length < ROWS_AT_ONCE) break;
      }
      await client.query(`close ${cursor}`);
    },
    all: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...values])).rows,
    async hasTable(table) {
      const { rowCount } = await client.query('select where to_regclass($1) is not null', [`public.${table}`]);
      return rowCount === 1;
    },
    close: () => client.end(),
  };
}

/** Consumers before producers, so that a producer has everything that its consumer has. */
const readingOrder: readonly DatabaseName[] = [
  'webhooks',
  'events',
  'tasks',
  'inventory',
  'traders',
  'rbac',
  'identity',
  'registry-import',
];

/** Opens the snapshots one after another. */
export async function openSnapshots(urls: Readonly<Record<DatabaseName, string>>): Promise<Snapshots> {
  const opened: [DatabaseName, Snapshot][] = [];
  try {
    for (const name of readingOrder) opened.push([name, await openSnapshot(name, urls[name])]);
    return Object.fromEntries(opened) as Snapshots;
  } catch (error) {
    for (const [, snapshot] of opened) await snapshot.close().catch(() => undefined);
    throw error;
  }
}

export type DatabaseCheck = Check<Snapshots>;

interface Statements {
  readonly about: string;
  /** Selects the checked rows, to count them: a part of a statement from `from` on. */
  readonly rows: string;
  /** Selects violations, with texts `id` and `detail`. */
  readonly violations: string;
}

/** Creates a check that is one statement on one database. */
export const statementCheck = (
  name: string,
  database: DatabaseName,
  { about, rows, violations }: Statements,
): DatabaseCheck => ({
  name,
  about,
  isTransient: false,
  async run(snapshots, recorder) {
    const [counted] = await snapshots[database].all<{ count: string }>(`select count(*) ${rows}`);
    recorder.countRows(Number(counted?.count ?? 0));
    for await (const { id, detail } of snapshots[database].rows<{ id: string; detail: string }>(violations))
      recorder.report(id, detail);
  },
});

/**
 * Joins two lists that are sorted by key. Compares keys by bytes, as PostgreSQL does with collation "C", so they must
 * be ASCII. Holds neither list in memory.
 */
export async function* joinSorted<Left, Right>(
  left: AsyncIterable<Left>,
  leftKey: (row: Left) => string,
  right: AsyncIterable<Right>,
  rightKey: (row: Right) => string,
): AsyncGenerator<[Left | undefined, Right | undefined]> {
  const [a, b] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  let [x, y] = [await a.next(), await b.next()];
  while (!x.done || !y.done) {
    const order = x.done ? 1 : y.done ? -1 : compare(leftKey(x.value), rightKey(y.value));
    yield [order <= 0 && !x.done ? x.value : undefined, order >= 0 && !y.done ? y.value : undefined];
    if (order <= 0) x = await a.next();
    if (order >= 0) y = await b.next();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Groups adjacent rows with the same key. Holds one group in memory. */
export async function* groupAdjacent<Row>(
  rows: AsyncIterable<Row>,
  keyOf: (row: Row) => string,
): AsyncGenerator<{ readonly key: string; readonly rows: Row[] }> {
  let group: { key: string; rows: Row[] } | undefined;
  for await (const row of rows) {
    const key = keyOf(row);
    if (group?.key === key) group.rows.push(row);
    else {
      if (group) yield group;
      group = { key, rows: [row] };
    }
  }
  if (group) yield group;
}
