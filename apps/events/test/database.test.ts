import { afterAll, beforeAll, test, describe, expect } from '@jest/globals';
import { query, raw, sql, type Database, type Schema } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import {
  eventually,
  smallestPools,
  proveOwnConnections,
  createTestDatabase,
  execute,
  catchFailure,
  openTestDatabase,
  type TestDatabase,
} from '@saleschannel/testing';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { appendEvents } from '../src/operations/append-events.ts';
import { schema } from '../src/store/schema.ts';
import { startEvents, statusChange, type Events } from './support/events.ts';

let events: Events;
beforeAll(async () => {
  events = await startEvents(smallestPools);
});
afterAll(() => events.stop());

describe('the migration to partitions', () => {
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
});

describe('the database refuses by itself', () => {
  let created: TestDatabase;

  beforeAll(async () => {
    created = await createTestDatabase();
    const database = await openTestDatabase({ url: created.url, poolMax: 2, ...schema });
    await database.migrate().finally(() => database.stop());
  });
  afterAll(() => created.drop());

  const CHECK = '23514';

  function insertOf(changes: Readonly<Record<string, string>>): string {
    const row = {
      sales_channel_id: "'channel'",
      created_at: "'2026-01-01 00:00:00.001Z'",
      id: "'event'",
      event_type: "'TRANSACTION_STATUS_CHANGE'",
      event_at: 'now()',
      transaction_id: "'transaction'",
      status: "'SUCCESS'",
      sequence: '1',
      ...changes,
    };
    return `insert into event (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`;
  }

  test.each([
    ['no channel', { sales_channel_id: "''" }],
    ['no id', { id: "''" }],
    ['no transaction', { transaction_id: "''" }],
    ['an unknown type', { event_type: "'OTHER'" }],
    ['an unknown status', { status: "'LOST'" }],
    ['sequence 0', { sequence: '0' }],
    ['a time finer than milliseconds', { created_at: "'2026-01-01 00:00:00.0011Z'" }],
    ['a time before all logs', { created_at: "'epoch'" }],
  ])('an event with %s is refused', async (_name, changes) => {
    expect((await catchFailure(execute(created.url, insertOf(changes)))).code).toBe(CHECK);
  });

  test('an event is accepted with or without a sequence', async () => {
    const later = {
      id: "'later'",
      created_at: "'2026-01-01 00:00:00.002Z'",
      transaction_id: "'other'",
      sequence: 'null',
    };
    await execute(created.url, insertOf({}), insertOf(later));
  });

  test('the conditions that PostgreSQL parses for an event are short', async () => {
    const text = `select sum(length(conbin)) from pg_constraint where conrelid = 'event'::regclass and contype = 'c'`;
    // 5,400 characters without a function.
    await execute(created.url, `do $$ begin assert (${text}) < 1800; end $$`);
  });
});

schemaTests(new URL('../src/store/', import.meta.url), schema);

test('events are appended while calls hold all of their connections', async () => {
  const channel = newId();
  await events.publish([statusChange(channel)]);
  await events.filled(channel, 1);
  const change = statusChange(newId());
  await proveOwnConnections({
    service: events.service,
    table: 'event',
    call: () => events.list(channel),
    async work() {
      await events.publish([change]);
      const appended = 'select from event where id = $1';
      await eventually(async () => (await events.service.sql(appended, [change.eventId])).length > 0, 'the event');
    },
  });
});
