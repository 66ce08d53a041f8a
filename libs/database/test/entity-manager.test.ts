import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { EntityManager as MappedEntityManager } from '@mikro-orm/postgresql';
import { createTestDatabase, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { query, queryFirst, sql, type Database } from '../src/index.ts';

let created: TestDatabase;
let database: Database;
beforeEach(async () => {
  created = await createTestDatabase();
  database = await openTestDatabase({ url: created.url, poolMax: 2, entities: [], migrations: [] });
  await query(database.em(), sql`create table entry (id int)`);
});
afterEach(async () => {
  await database.stop();
  await created.drop();
});

test('only mapped entities create an entity manager of MikroORM', async () => {
  const fork = jest.spyOn(MappedEntityManager.prototype, 'fork');
  try {
    await query(database.em(), sql`select 1 as one`);
    await database.transaction((em) => query(em, sql`insert into entry values (1)`));
    expect(fork).not.toHaveBeenCalled();
    await database.transaction((em) => em.entities.execute('insert into entry values (2)'));
    expect(fork).toHaveBeenCalledTimes(1);
  } finally {
    fork.mockRestore();
  }
});

test('entities and statements of a unit of work share its transaction', async () => {
  const count = (em = database.em()) => queryFirst(em, sql`select count(*)::int as entries from entry`);
  const failing = database.transaction(async (em) => {
    await em.entities.execute('insert into entry values (1)');
    expect(await count(em)).toEqual({ entries: 1 });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await count()).toEqual({ entries: 0 });
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
