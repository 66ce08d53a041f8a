import { Client } from 'pg';
import type { Stack } from '@saleschannel/local';
import { readCpu } from './processes.ts';

/** Writes of a PostgreSQL server since its start. */
export interface WriteCounters {
  readonly walBytes: number;
  /** Commits by database, including statements outside transactions. */
  readonly commits: Readonly<Record<string, number>>;
  /** Messages inserted into outboxes. */
  readonly messages: number;
  /** Upper bound of index entries: partial indexes take fewer. */
  readonly indexEntries: number;
  readonly updates: number;
  /** Updates without index entries (heap-only tuples). */
  readonly hotUpdates: number;
}

interface TableRow {
  readonly name: string;
  readonly inserts: string;
  readonly updates: string;
  readonly hot: string;
  readonly indexes: string;
}

const DATABASE_PREFIX = 'saleschannel_';

/** Runs statements on a database in sequence. */
export async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  await withConnection(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

export async function withConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** CPU microseconds of a server, and bytes that it has written to its log. */
export interface ServerUse {
  readonly cpu: number;
  readonly walBytes: number;
}

export const readServerUse = ({ url, pid }: { readonly url: string; readonly pid: number }): Promise<ServerUse> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('select wal_bytes::text as bytes from pg_stat_wal');
    return { cpu: readCpu(pid), walBytes: Number(rows[0]?.bytes) };
  });

/** URL of a database on the stack's server, with administrator rights. */
export function buildAdminUrl({ databaseAdminUrl }: Pick<Stack, 'databaseAdminUrl'>, database: string): string {
  const url = new URL(databaseAdminUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

interface DatabaseRow {
  readonly name: string;
  readonly commits: string;
}

/** URL of a service's database, with administrator rights. */
export function buildServiceUrl(stack: Pick<Stack, 'databaseAdminUrl' | 'databaseUrls'>, service: string): string {
  const url = stack.databaseUrls[service];
  if (url === undefined) throw new Error(`The stack has no database of ${service}.`);
  return buildAdminUrl(stack, new URL(url).pathname.slice(1));
}

/** Reads the counters of the server and of all databases of the system. */
export async function readWriteCounters(stack: Pick<Stack, 'databaseAdminUrl'>): Promise<WriteCounters> {
  const { walBytes, databases } = await withConnection(stack.databaseAdminUrl, async (client) => {
    const wal = await client.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
    );
    const { rows } = await client.query<DatabaseRow>(
      `select datname::text as name, xact_commit::text as commits from pg_stat_database
       where datname like '${DATABASE_PREFIX}%'`,
    );
    return { walBytes: Number(wal.rows[0]?.bytes), databases: rows };
  });
  const tables = await Promise.all(databases.map(({ name }) => readTables(buildAdminUrl(stack, name))));
  const sum = (each: (row: TableRow) => number): number => tables.flat().reduce((total, row) => total + each(row), 0);
  return {
    walBytes,
    commits: Object.fromEntries(
      databases.map(({ name, commits }) => [name.slice(DATABASE_PREFIX.length), Number(commits)]),
    ),
    messages: sum(({ name, inserts }) => (name === 'outbox' ? Number(inserts) : 0)),
    indexEntries: sum((row) => (Number(row.inserts) + Number(row.updates) - Number(row.hot)) * Number(row.indexes)),
    updates: sum((row) => Number(row.updates)),
    hotUpdates: sum((row) => Number(row.hot)),
  };
}

const readTables = (url: string): Promise<TableRow[]> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query<TableRow>(
      `select relname::text as name, n_tup_ins::text as inserts, n_tup_upd::text as updates, n_tup_hot_upd::text as hot,
         (select count(*) from pg_index where indrelid = relid)::text as indexes
       from pg_stat_user_tables`,
    );
    return rows;
  });

export const subtractCounters = (after: WriteCounters, before: WriteCounters): WriteCounters => ({
  walBytes: after.walBytes - before.walBytes,
  commits: Object.fromEntries(
    Object.entries(after.commits).map(([name, commits]) => [name, commits - (before.commits[name] ?? 0)]),
  ),
  messages: after.messages - before.messages,
  indexEntries: after.indexEntries - before.indexEntries,
  updates: after.updates - before.updates,
  hotUpdates: after.hotUpdates - before.hotUpdates,
});
