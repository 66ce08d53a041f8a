import { databaseNames, type DatabaseName } from '@saleschannel/auditor';
import { eventually, type TestDatabase } from '@saleschannel/testing';
import { Client } from 'pg';
import { services, type CleanupStack } from './services.ts';
import type { System } from './system.ts';

export type Databases = Readonly<Record<DatabaseName, TestDatabase>>;

export async function createDatabases(stops: CleanupStack): Promise<Databases> {
  const created = await Promise.all(
    databaseNames.map(async (name) => [name, await services[name].createDatabase()] as const),
  );
  stops.push(() => Promise.all(created.map(([, database]) => database.drop())));
  return Object.fromEntries(created) as Databases;
}

/** Runs one statement on a service's database, to check its content and never to change it. */
export async function readSql<Row extends object>(
  databaseUrl: string,
  text: string,
  params: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, params)).rows;
  } finally {
    await client.end();
  }
}

const undecided = `
  select count(*) filter (where transaction_id is null) as undecided, count(*) as waiting
  from task where status = 'PENDING'`;
const endedTransactions = `
  select count(*) filter (where status <> 'PENDING') as ended, count(*) filter (where status = 'PENDING') as waiting
  from ledger_transaction where task_id is not null`;
const unsent = 'select id from outbox limit 1';
const senders = ['identity', 'rbac', 'inventory', 'tasks'] as const;

/** Resolves when every accepted task is decided, every message delivered and every event in the log. */
export async function waitUntilDrained(sql: System['querySql']): Promise<void> {
  await eventually(async () => {
    const [[task], [ledger], [log], ...outboxes] = await Promise.all([
      sql<{ undecided: string; waiting: string }>('tasks', undecided),
      sql<{ ended: string; waiting: string }>('inventory', endedTransactions),
      sql<{ events: string }>('events', 'select count(*) as events from event'),
      ...senders.map((service) => sql(service, unsent)),
    ]);
    const isDecided = task?.undecided === '0' && task.waiting === ledger?.waiting && ledger.ended === log?.events;
    return isDecided && outboxes.every(({ length }) => length === 0);
  }, 'the end of all tasks');
}
