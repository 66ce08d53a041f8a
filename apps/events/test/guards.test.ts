import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { schema } from '../src/store/schema.ts';

/** The database refuses invalid events by itself. */

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
