import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { query, queryFirst, sql, type Database } from '../src/index.ts';

let created: TestDatabase;
let database: Database;
beforeEach(async () => {
  created = await createTestDatabase();
  database = await openTestDatabase({ url: created.url, poolMax: 2, migrations: [] });
  await query(database.em(), sql`create table entry (id int)`);
});
afterEach(async () => {
  await database.stop();
  await created.drop();
});

test('a forked unit of work runs outside of the transaction, as do statements after it', async () => {
  await database.transaction(async (em) => {
    await query(em, sql`insert into entry values (1)`);
    expect(await queryFirst(em.fork(), sql`select count(*)::int as entries from entry`)).toEqual({ entries: 0 });
    return em;
  });
  const outlived = await database.transaction((em) => em);
  expect(await queryFirst(outlived, sql`select count(*)::int as entries from entry`)).toEqual({ entries: 1 });
});
