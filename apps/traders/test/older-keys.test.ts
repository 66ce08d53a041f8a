import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { query, raw, sql } from '@saleschannel/database';
import { newId, fingerprintRequest } from '@saleschannel/primitives';
import { createTestDatabase, eventually, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { Client } from 'pg';
import { schema } from '../src/store/schema.ts';
import { entity, startTraders, type Traders } from './support/traders.ts';

/** Keys of createTrader while replicas of the previous release still run, which use only idempotency_record. */

let traders: Traders;
let older: Client;
let newer: Client;
beforeAll(async () => {
  traders = await startTraders();
  [older, newer] = [0, 1].map(() => new Client({ connectionString: traders.service.databaseUrl })) as [Client, Client];
  await Promise.all([older.connect(), newer.connect()]);
});
afterAll(async () => {
  await Promise.all([older.end(), newer.end()]);
  await traders.stop();
});

let channel: string;
let key: string;
beforeEach(() => {
  [channel, key] = [newId(), newId()];
});

const { businessId, name, address } = entity;
const fingerprint = fingerprintRequest({ businessId, name, address });

/** Statement of the previous release that creates a trader. Returns no row when the key has a record. */
const INSERT_OLDER = `
  with record as (
    insert into idempotency_record (sales_channel_id, operation, key, fingerprint, trader_id)
    values ($1, 'createTrader', $2, $3, $4)
    on conflict (sales_channel_id, operation, key) do nothing
    returning trader_id
  )
  insert into trader (id, sales_channel_id, business_id, name, address)
  select trader_id, $1, $5, $6, $7::jsonb from record returning id`;

async function createOlder(client: Client = older, request = fingerprint): Promise<string | undefined> {
  const values = [channel, key, request, newId(), businessId, name, JSON.stringify(address)];
  const { rows } = await client.query<{ id: string }>(INSERT_OLDER, values);
  return rows[0]?.id;
}

const findOlder = async () =>
  (
    await older.query<{ id: string }>(
      `select trader_id as id from idempotency_record
       where sales_channel_id = $1 and operation = 'createTrader' and key = $2 and fingerprint = $3`,
      [channel, key, fingerprint],
    )
  ).rows[0]?.id;

const claim = async (): Promise<boolean> =>
  (
    await newer.query(
      `insert into idempotency_key (scope, operation, key, fingerprint)
       values ($1, 'traders.CreateTrader', $2, $3) on conflict (scope, operation, key) do nothing returning true`,
      [`channel/${channel}`, key, fingerprint],
    )
  ).rows.length > 0;

const create = async () => {
  const { trader, replayed } = await traders.create(channel, { idempotencyKey: key });
  return { id: trader.id, replayed };
};

const ids = async () => (await traders.list(channel)).map(({ id }) => id);

const isWaiting = (client: Client) =>
  eventually(async () => {
    const { processID } = client as Client & { processID: number };
    const [found] = await traders.service.sql(
      "select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
      [processID],
    );
    return found !== undefined;
  }, 'the statement waits for the key');

test('a newer replica replays a key of an older one', async () => {
  const id = await createOlder();
  expect(await create()).toEqual({ id, replayed: true });
  expect(await catchFailure(traders.create(channel, { idempotencyKey: key, name: 'Other' }))).toMatchObject({
    code: 'idempotency-key-reused',
  });
  expect(await ids()).toEqual([id]);
});

test('an older replica replays a key of a newer one', async () => {
  const { id, replayed } = await create();
  expect({ replayed, again: await createOlder(), found: await findOlder() }).toEqual({
    replayed: false,
    again: undefined,
    found: id,
  });
  expect(await createOlder(older, Buffer.alloc(32))).toBeUndefined();
  expect(await ids()).toEqual([id]);
});

test.each(['commit', 'rollback'] as const)('an older replica waits for a newer one, until its %s', async (end) => {
  await newer.query('begin');
  expect(await claim()).toBe(true);
  const again = createOlder();
  await isWaiting(older);
  const id = newId();
  await newer.query(
    `insert into trader (id, sales_channel_id, business_id, name, address) values ($1, $2, $3, $4, $5::jsonb)`,
    [id, channel, businessId, name, JSON.stringify(address)],
  );
  await newer.query(
    `update idempotency_key set answer = convert_to($1, 'UTF8')
     where scope = $2 and operation = 'traders.CreateTrader' and key = $3`,
    [id, `channel/${channel}`, key],
  );
  await newer.query(end);
  expect(await again).toEqual(end === 'commit' ? undefined : expect.any(String));
  const found = await findOlder();
  expect(await ids()).toEqual([found]);
  expect(await create()).toEqual({ id: found, replayed: true });
  expect(found === id).toBe(end === 'commit');
});

test.each(['commit', 'rollback'] as const)('a newer replica waits for an older one, until its %s', async (end) => {
  await older.query('begin');
  const id = await createOlder();
  const claimed = claim();
  await isWaiting(newer);
  await older.query(end);
  expect(await claimed).toBe(end === 'rollback');
  if (end === 'rollback') await newer.query('delete from idempotency_key where key = $1', [key]);
  expect(await ids()).toEqual(end === 'commit' ? [id] : []);
});

test('concurrent equal requests to replicas of both releases create one trader', async () => {
  for (let round = 0; round < 10; round++) {
    [channel, key] = [newId(), newId()];
    const [fromOlder, again, ...fromNewer] = await Promise.all([
      createOlder(),
      createOlder(newer),
      create(),
      create(),
      create(),
    ]);
    const [id] = await ids();
    expect(await ids()).toHaveLength(1);
    expect(await findOlder()).toBe(id);
    expect(fromNewer.map((answer) => answer.id)).toEqual([id, id, id]);
    const createdByOlder = [fromOlder, again].filter((created) => created !== undefined);
    const createdByNewer = fromNewer.filter(({ replayed }) => !replayed);
    expect(createdByOlder.length + createdByNewer.length).toBe(1);
  }
});

test('the migration copies the keys of the previous release', async () => {
  const created = await createTestDatabase();
  const open = (migrations = schema.migrations) =>
    openTestDatabase({ url: created.url, poolMax: 1, ...schema, migrations });
  const moved = schema.migrations.findIndex(({ file }) => file.endsWith('-keys-of-traders.sql'));
  const before = await open(schema.migrations.slice(0, moved));
  await before.migrate();
  await query(
    before.em(),
    sql`insert into trader (id, sales_channel_id, business_id, name, address) values ('t', 'c', 'b', 'n', '{}')`,
  );
  await query(
    before.em(),
    sql`insert into idempotency_record (sales_channel_id, operation, key, fingerprint, trader_id)
        values ('c', 'createTrader', 'k', ${fingerprint}, 't')`,
  );
  await before.stop();
  const after = await open();
  await after.migrate();
  const rows = await query(
    after.em(),
    sql`${raw('select scope, operation, key, fingerprint, answer, kept_until from idempotency_key')}`,
  );
  await after.stop();
  await created.drop();
  expect(rows).toEqual([
    {
      scope: 'channel/c',
      operation: 'traders.CreateTrader',
      key: 'k',
      fingerprint,
      answer: Buffer.from('t'),
      kept_until: null,
    },
  ]);
});
