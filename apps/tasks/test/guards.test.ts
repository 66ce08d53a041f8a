import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, execute, catchFailure, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { schema } from '../src/store/schema.ts';

/** The database refuses invalid tasks by itself. */

let created: TestDatabase;

beforeAll(async () => {
  created = await createTestDatabase();
  const database = await openTestDatabase({ url: created.url, poolMax: 2, ...schema });
  await database.migrate().finally(() => database.stop());
  await execute(created.url, createInsert('kept', {}), "update task set status = 'SUCCESS', transaction_id = 'x'");
});
afterAll(() => created.drop());

const [CHECK, INTEGRITY] = ['23514', '23000'];

function createInsert(id: string, changes: Readonly<Record<string, string>>): string {
  const row = {
    id: `'${id}'`,
    sales_channel_id: "'channel'",
    operation: "'TRADE'",
    idempotency_key: `'${id}'`,
    fingerprint: "'f'",
    trader_id: "'trader'",
    assets: "'[]'",
    message: "'waits'",
    ...changes,
  };
  return `insert into task (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`;
}

test.each([
  ['an unknown operation', { operation: "'ONRAMP'" }],
  ['an unknown status', { status: "'LOST'" }],
  ['an empty key', { idempotency_key: "''" }],
  ['a key with a space', { idempotency_key: "'a b'" }],
  ['a key of 65 characters', { idempotency_key: "repeat('k', 65)" }],
  ['a key that ends with a new line', { idempotency_key: "e'k\\n'" }],
  ['sequence 0', { ledger_sequence: '0' }],
])('a task with %s is refused', async (_name, changes) => {
  expect((await catchFailure(execute(created.url, createInsert('refused', changes)))).code).toBe(CHECK);
});

test('a key of 64 characters is accepted', async () => {
  await execute(created.url, createInsert('long', { idempotency_key: "repeat('a-Z_0', 12) || 'last'" }));
});

test('no check constraint has a counted repetition, which PostgreSQL expands on each match', async () => {
  const counting = `
    select count(*) from pg_constraint left join pg_depend on pg_depend.classid = 'pg_constraint'::regclass
      and pg_depend.objid = pg_constraint.oid and pg_depend.refclassid = 'pg_proc'::regclass
    left join pg_proc on pg_proc.oid = pg_depend.refobjid
    where conrelid = 'task'::regclass and contype = 'c'
      and concat(pg_get_constraintdef(pg_constraint.oid), prosrc) ~ '[{][0-9]+(,[0-9]*)?[}]'`;
  await execute(created.url, `do $$ begin assert (${counting}) = 0; end $$`);
});

test('an ended task cannot change', async () => {
  expect((await catchFailure(execute(created.url, "update task set message = 'x' where id = 'kept'"))).code).toBe(
    INTEGRITY,
  );
});

test('exceptional_task has only tasks that wait for an approval or did not succeed', async () => {
  const count = "(select count(*) from exceptional_task where id = 'followed')";
  const expectCount = (expected: number): string =>
    `do $$ begin assert ${count} = ${expected}, format('%s rows', ${count}); end $$`;
  const change = (assignment: string): string => `update task set ${assignment} where id = 'followed'`;
  await execute(
    created.url,
    createInsert('followed', {}),
    change("message = 'still waits'"),
    expectCount(0),
    change("transaction_id = 'y'"),
    expectCount(1),
    change("status = 'SUCCESS'"),
    expectCount(0),
  );
});

test('the conditions that PostgreSQL parses for a task are short', async () => {
  const text = `select sum(length(conbin)) from pg_constraint where conrelid = 'task'::regclass and contype = 'c'`;
  const conditions = `select sum(length(tgqual)) from pg_trigger where tgrelid = 'task'::regclass`;
  // 2,900 and 2,200 characters without functions.
  await execute(created.url, `do $$ begin assert (${text}) < 1300; assert (${conditions}) < 1000; end $$`);
});
