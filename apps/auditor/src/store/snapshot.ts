import { Client } from 'pg';
import type { DatabaseName } from '../domain/check.ts';

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
