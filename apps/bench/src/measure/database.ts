import { Client } from 'pg';
import type { Stack } from '@saleschannel/local';

/** What a PostgreSQL server has written since it began. */
export interface Written {
  readonly walBytes: number;
  readonly commits: number;
  /** Entries made in indexes, if every index of a table took one. Partial ones take fewer. */
  readonly indexEntries: number;
  readonly updates: number;
  /** Updates that needed no entry in any index (heap-only tuples). */
  readonly hotUpdates: number;
}

interface TableRow {
  readonly inserts: string;
  readonly updates: string;
  readonly hot: string;
  readonly indexes: string;
}

/** Runs statements on a database, one after the other. */
export async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  await connected(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A database of the stack's server, with an administrator's rights. */
export function adminUrlOf({ databaseAdminUrl }: Pick<Stack, 'databaseAdminUrl'>, database: string): string {
  const url = new URL(databaseAdminUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

/** Reads the counters of the server and of all its databases. */
export async function readWritten(stack: Pick<Stack, 'databaseAdminUrl'>): Promise<Written> {
  const server = await connected(stack.databaseAdminUrl, async (client) => {
    await client.query('checkpoint');
    const { rows } = await client.query<{ walBytes: string; commits: string; databases: string[] }>(
      `select (select wal_bytes from pg_stat_wal)::text as "walBytes", sum(xact_commit)::text as commits,
         array_agg(datname::text) filter (where datname like 'saleschannel%') as databases
       from pg_stat_database where datname is not null`,
    );
    if (!rows[0]) throw new Error('the server has no counters');
    return rows[0];
  });
  const tables = await Promise.all(server.databases.map((database) => readTables(adminUrlOf(stack, database))));
  const sum = (each: (row: TableRow) => number): number => tables.flat().reduce((total, row) => total + each(row), 0);
  return {
    walBytes: Number(server.walBytes),
    commits: Number(server.commits),
    indexEntries: sum((row) => (Number(row.inserts) + Number(row.updates) - Number(row.hot)) * Number(row.indexes)),
    updates: sum((row) => Number(row.updates)),
    hotUpdates: sum((row) => Number(row.hot)),
  };
}

const readTables = (url: string): Promise<TableRow[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query<TableRow>(
      `select n_tup_ins::text as inserts, n_tup_upd::text as updates, n_tup_hot_upd::text as hot,
         (select count(*) from pg_index where indrelid = relid)::text as indexes
       from pg_stat_user_tables`,
    );
    return rows;
  });

export const difference = (after: Written, before: Written): Written => ({
  walBytes: after.walBytes - before.walBytes,
  commits: after.commits - before.commits,
  indexEntries: after.indexEntries - before.indexEntries,
  updates: after.updates - before.updates,
  hotUpdates: after.hotUpdates - before.hotUpdates,
});
