import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { eventually } from '@saleschannel/testing';
import { trade, type KeyedTransfer, type Scene } from './support/requests.ts';
import { toRefusal, startTasks, type Tasks } from './support/tasks.ts';

/** Account holders are cached, and a change is effective once the owner has confirmed it (ADR 7). */

/** Longer than any test. */
const LONG_LEASE_MS = 3_600_000;
const LEASE_MS = 500;
/** Time that the owner adds for a commit that began within the lease. */
const COMMIT_MS = 250;

let tasks: Tasks;
let replica: Awaited<ReturnType<Tasks['startReplica']>>;
beforeAll(async () => {
  tasks = await startTasks();
  replica = await tasks.startReplica();
});
afterAll(async () => {
  await replica.stop();
  await tasks.stop();
});

let scene: Scene;
beforeEach(() => {
  scene = tasks.newScene();
  tasks.neighbours.holders.leaseMs = LEASE_MS;
});
afterEach(() => {
  tasks.neighbours.suspended.clear();
  tasks.neighbours.checking.before = () => Promise.resolve();
});

const createSale = (): Promise<KeyedTransfer> => trade(scene, {}, { traderId: scene.onboarded });
const sell = async (by: Pick<Tasks, 'startAll'> = tasks) => (await by.startAll([await createSale()]))[0];

/** Resolves after a time on the `performance.now()` clock, which services and owner use. */
const waitPast = async (time: number): Promise<void> => {
  await eventually(() => Promise.resolve(performance.now() > time), 'the time');
};

/** Resolves when the owner would confirm the suspension: after the end of every earlier lease. */
async function suspend(): Promise<void> {
  tasks.neighbours.suspended.add(scene.holder);
  await waitPast(performance.now() + LEASE_MS + COMMIT_MS);
}

const countTasks = async (): Promise<number> =>
  (await tasks.service.sql('select 1 from task where sales_channel_id = $1', [scene.channel])).length;

describe('account holders', () => {
  test('are requested once for many trades', async () => {
    tasks.neighbours.holders.leaseMs = LONG_LEASE_MS;
    const before = tasks.neighbours.holders.questions;
    for (let trades = 0; trades < 3; trades++) expect((await sell())?.task?.status).toBe('PENDING');
    expect(tasks.neighbours.holders.questions - before).toBe(1);
  });

  test('are requested each time if the owner grants no lease', async () => {
    tasks.neighbours.holders.leaseMs = 0;
    expect((await sell())?.task?.status).toBe('PENDING');
    tasks.neighbours.suspended.add(scene.holder);
    expect(toRefusal(await sell()).violations).toEqual(['traderId account-holder-suspended']);
  });

  test('are not cached if unknown', async () => {
    tasks.neighbours.holders.leaseMs = LONG_LEASE_MS;
    tasks.neighbours.traders.set(scene.onboarded, 'gone');
    const before = tasks.neighbours.holders.questions;
    await sell();
    await sell();
    expect(tasks.neighbours.holders.questions - before).toBe(2);
  });
});

describe('a trade checked before its account holder was suspended is refused afterwards', () => {
  test('when the check of its selections is slow', async () => {
    const suspended = Promise.withResolvers<void>();
    tasks.neighbours.checking.before = () => suspended.promise;
    const before = tasks.neighbours.holders.questions;
    const selling = sell();
    await eventually(() => Promise.resolve(tasks.neighbours.holders.questions > before), 'the question');
    await suspend();
    suspended.resolve();
    expect(toRefusal(await selling).violations).toEqual(['traderId account-holder-suspended']);
    expect(await countTasks()).toBe(0);
  });

  // `task` is written before the last round trip of the transaction, `outbox` in the round trip of the commit.
  test.each(['task', 'outbox'])('when writing to %s is slow', async (table) => {
    const other = createConnection(tasks.service.databaseUrl, { timeouts: { idleInTransactionMs: 0 } });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`lock table ${table} in share mode`);
      const selling = sell();
      await eventually(async () => {
        const waiting = await tasks.service.sql(
          `select from pg_locks join pg_stat_activity using (pid)
           where not granted and relation = $1::regclass and datname = current_database()`,
          [table],
        );
        return waiting.length > 0;
      }, 'the trade to wait');
      await suspend();
      await other.query('commit');
      expect(toRefusal(await selling).violations).toEqual(['traderId account-holder-suspended']);
      expect(await countTasks()).toBe(0);
    } finally {
      await other.end();
    }
  });
});

test('no replica accepts a trade after the suspension of its account holder was confirmed', async () => {
  const ROUNDS = 5;
  const SELLERS = 4;
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    scene = tasks.newScene();
    // Some checks outlast the lease.
    tasks.neighbours.checking.before = () => waitPast(performance.now() + Math.random() * 3 * LEASE_MS);
    let isConfirmed = false;
    const sellUntilConfirmed = async (index: number): Promise<void> => {
      while (!isConfirmed) await sell(index % 2 === 0 ? tasks : replica);
    };
    const sellers = Array.from({ length: SELLERS }, (_, index) => sellUntilConfirmed(index));
    await eventually(async () => (await countTasks()) > 0, 'a trade');
    await suspend();
    const before = await countTasks();
    isConfirmed = true;
    await Promise.all(sellers);
    expect(await countTasks()).toBe(before);
    accepted += before;
  }
  expect(accepted).toBeGreaterThan(0);
});
