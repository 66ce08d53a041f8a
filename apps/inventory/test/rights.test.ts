import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toAuditorUrl, toRuntimeUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import { startInventory, type Inventory } from './support/inventory.ts';

/** Rights of the database roles of the service and the auditor. */

let inventory: Inventory;
const clients: Client[] = [];
let runtime: Client;
let auditor: Client;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

beforeAll(async () => {
  inventory = await startInventory();
  const { databaseUrl } = inventory.service;
  [runtime, auditor] = [await connect(toRuntimeUrl(databaseUrl)), await connect(toAuditorUrl(databaseUrl))];
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await inventory.stop();
});

const refused = { code: '42501' };
const appendOnly = [
  'audit_event',
  'bundle_merge',
  'issuance',
  'onramp_key',
  'status_change',
  'supplier',
  'transaction_line',
  'transaction_metadata',
  'transaction_reference',
  'transfer_refusal',
];

test.each([
  'alter table bundle add column extra text',
  'alter table bundle disable trigger all',
  'alter table bundle owner to current_user',
  'drop table bundle',
  'drop trigger bundle_moves on bundle',
  'truncate outbox',
  'set session_replication_role = replica',
  'create table extra (id int)',
  'create temporary table extra (id int)',
  "create function extra() returns int language sql as 'select 1'",
  "create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'",
  'create schema extra',
  'update schema_migration set name = name',
  'set role test_owner',
])('the service may not: %s', async (statement) => {
  await expect(runtime.query(statement)).rejects.toMatchObject(refused);
});

test.each(appendOnly)('the service may neither delete nor update rows of %s', async (table) => {
  await expect(runtime.query(`delete from ${table}`)).rejects.toMatchObject(refused);
  const { rows } = await runtime.query<{ name: string }>(
    `select attname as name from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'id'`,
    [table],
  );
  for (const { name } of rows)
    await expect(runtime.query(`update ${table} set ${name} = ${name}`)).rejects.toMatchObject(refused);
});

test('the service may update the head of an audit trail, but not delete it', async () => {
  await expect(runtime.query('delete from audit_head')).rejects.toMatchObject(refused);
  await expect(runtime.query('update audit_head set sequence = sequence')).resolves.toBeDefined();
});

test('the service may lock issuances, by the right to update their id, which a trigger refuses', async () => {
  const { rows } = await runtime.query('select id from issuance for no key update');
  expect(rows).toEqual([]);
  await expect(runtime.query('select from supplier for update')).rejects.toMatchObject(refused);
});

test('the auditor reads every table, and changes none', async () => {
  const { rows } = await auditor.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const { name } of rows) {
    await expect(auditor.query(`select from ${name} limit 1`)).resolves.toBeDefined();
    await expect(auditor.query(`delete from ${name}`)).rejects.toMatchObject(refused);
  }
});
