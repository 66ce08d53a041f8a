import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query, raw, sql, type Database, type Schema } from '@saleschannel/database';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { appendEvents } from '../src/operations/append-events.ts';
import { schema } from '../src/store/schema.ts';
import { statusChange } from './support/events.ts';

const open = (url: string, migrations: Schema['migrations'] = schema.migrations): Promise<Database> =>
  openTestDatabase({ url, poolMax: 2, ...schema, migrations });

let created: TestDatabase;
let database: Database;
const rowsOf = <Row extends object>(text: string): Promise<Row[]> => query(database.em(), sql`${raw(text)}`);

const EVENTS = 'select *, created_at::text as at from event order by sales_channel_id, created_at';
/** Rows of the first release, without a sequence, and of later releases. */
const FILL = `
  insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
  select 'channel-' || n % 40, timestamptz '2026-01-01 00:00Z' + n * interval '1 millisecond', 'event-' || n,
    'TRANSACTION_STATUS_CHANGE', timestamptz '2026-01-01 00:00Z' + n * interval '1 microsecond', 'transaction-' || n,
    case when n % 3 = 0 then 'FAILED' else 'SUCCESS' end, case when n > 400 then n end
  from generate_series(1, 2000) as n;
  insert into event_head select sales_channel_id, max(created_at) from event group by 1;
`;

let before: object[];
beforeAll(async () => {
  created = await createTestDatabase();
  const first = schema.migrations.findIndex(({ file }) => file.endsWith('-event-partitions.sql'));
  database = await open(created.url, schema.migrations.slice(0, first));
  await database.migrate();
  await execute(created.url, FILL);
  before = await rowsOf(EVENTS);
  await database.stop();
  database = await open(created.url);
  await database.migrate();
});
afterAll(async () => {
  await database.stop();
  await created.drop();
});

test('the migration copies the whole log, and puts each channel into one partition', async () => {
  expect(before).toHaveLength(2_000);
  expect(await rowsOf(EVENTS)).toEqual(before);
  const parts = await rowsOf<{ parts: string; channels: string }>(
    `select count(distinct tableoid)::text as parts, count(distinct (tableoid, sales_channel_id))::text as channels
     from event`,
  );
  expect(parts).toEqual([{ parts: '8', channels: '40' }]);
});

test('events recorded before the migration are not recorded again, and their channel continues', async () => {
  const [known, fresh] = [
    { transactionId: 'transaction-1001', status: 'SUCCESS', sequence: '1001', eventId: 'event-1001' },
    { transactionId: 'transaction-new', status: 'SUCCESS', sequence: '2001', eventId: 'event-new' },
  ] as const;
  const changes = [known, fresh].map((fields) => statusChange('channel-1', fields));
  await appendEvents(database, changes, (conflicts) => expect(conflicts).toEqual([]));
  const added = await rowsOf<{ id: string }>(
    "select id from event where sales_channel_id = 'channel-1' order by created_at desc limit 2",
  );
  expect(added).toEqual([{ id: 'event-new' }, { id: 'event-1961' }]);
});

test('another change with a known event id is refused', async () => {
  const change = statusChange('channel-2', { eventId: 'event-1002', sequence: '2002' });
  const failure = await catchFailure(appendEvents(database, [change], () => undefined));
  expect(failure.code).toBe('23505');
});

test('no partition can be changed by its own name', async () => {
  for (const part of Array.from({ length: 8 }, (_, index) => `event_${index}`)) {
    for (const text of [`update ${part} set status = 'FAILED'`, `delete from ${part}`, `truncate ${part}`])
      expect((await catchFailure(rowsOf(text))).code).toBe('23000');
  }
});

test('an append of the previous release fails as unavailable, so that its events are retried', async () => {
  const failure = await catchFailure(rowsOf('select 1 from event_head for update'));
  expect(database.toDomainError(failure)).toMatchObject({ code: 'unavailable' });
});
