import { on } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { createTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { Pool } from 'pg';
import { databaseEnvironment, openServiceDatabase, query, sql, type Database } from '../src/index.ts';

/** Pools of one database share its connections, and none uses those of another. */

const schema = { migrations: [] };
const pid = sql`select pg_backend_pid() as pid`;

let created: TestDatabase;
const opened: Database[] = [];
beforeEach(async () => {
  created = await createTestDatabase();
});
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.stop();
  await created.drop();
});

async function open(poolMax: number, parts: { work: number }) {
  const values = readEnvironment(databaseEnvironment, {
    DATABASE_URL: created.url,
    DATABASE_POOL_MAX: String(poolMax),
  });
  const pools = await openServiceDatabase(values, schema, silentLogger, parts);
  opened.push(pools.database, pools.work);
  return pools;
}

/** Returns the pool that a statement takes its connection from. */
async function findPool(database: Database): Promise<Pool> {
  const connect = jest.spyOn(Pool.prototype, 'connect');
  try {
    await query(database.em(), pid);
    return connect.mock.contexts[0] as Pool;
  } finally {
    connect.mockRestore();
  }
}

/** Holds this many connections of a pool until the returned function is called. */
async function hold(database: Database, count: number): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const held: Promise<unknown>[] = [];
  for (let index = 0; index < count; index++) {
    const begun = Promise.withResolvers<void>();
    held.push(
      database.transaction(async (em) => {
        await query(em, pid);
        begun.resolve();
        await released.promise;
      }),
    );
    await begun.promise;
  }
  return async () => {
    released.resolve();
    await Promise.all(held);
  };
}

test.each([
  [10, 0.4, { calls: 5, work: 4 }],
  [10, 0.2, { calls: 7, work: 2 }],
  [5, 0.4, { calls: 2, work: 2 }],
  // At least two for work, and one for calls.
  [2, 0.4, { calls: 1, work: 2 }],
])('%i connections, of which %f are for work', async (poolMax, part, expected) => {
  const { database, work } = await open(poolMax, { work: part });
  expect({ calls: database.poolMax, work: work.poolMax }).toEqual(expected);
});

test('work and the probe keep their connections while calls hold all others', async () => {
  const { database, work } = await open(5, { work: 0.4 });
  const release = await hold(database, database.poolMax);
  expect(await database.isUsable()).toBe(true);
  expect(await query(work.em(), sql`select 1 as one`)).toEqual([{ one: 1 }]);
  const releaseWork = await hold(work, work.poolMax);
  expect(await work.isUsable()).toBe(true);
  await release();
  await releaseWork();
});

test('pools share the probe of the first, and have their own connections', async () => {
  const { database, work } = await open(5, { work: 0.4 });
  expect(work.availability).toBe(database.availability);
  expect(work.clock).toBe(database.clock);
  const names = sql`select current_setting('application_name') as name`;
  expect(await query(database.em(), names)).toEqual([{ name: 'primary' }]);
  expect(await query(work.em(), names)).toEqual([{ name: 'work' }]);
});

test('two connections outlive the idle timeout', async () => {
  const { database } = await open(8, { work: 0.4 });
  const pool = await findPool(database);
  pool.options.idleTimeoutMillis = 1;
  const release = await hold(database, database.poolMax);
  expect(pool.totalCount).toBe(4);
  const removals = on(pool, 'remove');
  await release();
  await removals.next();
  await removals.next();
  expect([pool.totalCount, pool.idleCount]).toEqual([2, 2]);
});
