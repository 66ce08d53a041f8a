import { Client } from 'pg';
import type { DatabaseName } from '../domain/check.ts';

const ROWS_AT_ONCE = 2_000;

/** One moment of a database, however long it is read. Nothing can be written through it. */
export interface Snapshot {
  /** Rows in pieces, read with a cursor: memory stays flat at any length. */
  rows<Row extends object>(text: string, values?: readonly unknown[]): AsyncGenerator<Row>;
  all<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The moments of all databases. */
export type Snapshots = Readonly<Record<DatabaseName, Snapshot>>;

/** @throws Error that names the database and not its password */
async function openSnapshot(name: string, url: string): Promise<Snapshot> {
  const client = new Client({ connectionString: url, application_name: 'auditor', connectionTimeoutMillis: 10_000 });
  // Whatever is under way fails by itself. Without a listener the process would end.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    // All rows are read, perhaps of tables without statistics: to look one up for each of another takes for ever.
    await client.query("set local work_mem = '32MB'; set local enable_nestloop = off; set local jit = off");
    // The moment is that of the first statement.
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
    close: () => client.end(),
  };
}

/**
 * Who hears of something is read before whoever tells it. So what a listener knows, the teller knows too. What a
 * listener does not know yet is looked at again after a while.
 */
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

/** Opens all databases, one after the other. */
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
