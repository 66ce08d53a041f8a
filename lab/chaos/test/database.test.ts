import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, testServerUrl, type TestDatabase } from '@saleschannel/testing';
import { Client } from 'pg';
import { databaseFaults } from '../src/faults/database.ts';
import type { Heal } from '../src/faults/fault.ts';
import type { Installation } from '../src/fleet/installation.ts';

const ROLE = 'chaos_role';
const PASSWORD = 'chaos';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await asSuperuser(
    'create table task (id int)',
    `create role ${ROLE} login password '${PASSWORD}'`,
    `grant connect on database ${name} to ${ROLE}`,
  );
});
afterAll(async () => {
  await asSuperuser(`drop owned by ${ROLE}`, `drop role ${ROLE}`);
  await database.drop();
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = await connect(database.url);
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Connects as the service does. */
const asService = (): Promise<Client> => {
  const url = new URL(database.url);
  [url.username, url.password] = [ROLE, PASSWORD];
  return connect(url.href);
};

const installation = {
  findRole: () => ROLE,
  connectToDatabase: (service?: string) => connect(service === undefined ? testServerUrl() : database.url),
} as unknown as Installation;

const inject = async (kind: string, target: string): Promise<Heal> => {
  const fault = databaseFaults.find((each) => each.kind === kind);
  if (!fault) throw new Error(`There is no fault ${kind}.`);
  return fault.inject(installation, { target, forMs: 0, random: () => 0.5 });
};

const getErrorCode = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: { code?: string }) => error.code,
  );

test('a table is locked until the fault is healed', async () => {
  const heal = await inject('table-locked', 'tasks:task');
  const client = await connect(database.url);
  await client.query('set lock_timeout = 1');
  expect(await getErrorCode(client.query('select from task'))).toBe('55P03');
  await heal();
  await client.query('set lock_timeout = 0');
  expect(await getErrorCode(client.query('select from task'))).toBe('none');
  await client.end();
});

test('without slots sessions end, and none can start until the fault is healed', async () => {
  const client = await asService();
  const ended = new Promise((resolve) => client.once('end', resolve));
  const heal = await inject('slots-gone', 'tasks');
  await ended;
  expect(await getErrorCode(asService())).toBe('53300');
  await heal();
  await (await asService()).end();
});

test('long transactions are aborted until the fault is healed', async () => {
  const heal = await inject('transactions-limited', 'tasks');
  const client = await asService();
  expect(await getErrorCode(client.query('select pg_sleep(5)'))).toBe('25P04');
  await client.end().catch(() => undefined);
  await heal();
  const later = await asService();
  const { rows } = await later.query('show transaction_timeout');
  expect(rows).toEqual([{ transaction_timeout: '0' }]);
  await later.end();
});

test('a held snapshot stays open', async () => {
  const heal = await inject('snapshot-held', 'tasks');
  const client = await connect(database.url);
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and backend_xid is not null
      and pid <> pg_backend_pid()`,
  );
  expect(rows[0]?.count).toBe('1');
  await client.end();
  await heal();
});
