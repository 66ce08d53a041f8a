import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { eventually } from '@saleschannel/testing';
import { trade, type KeyedTransfer, type Scene } from './support/requests.ts';
import { refusalOf, startTasks, type Tasks } from './support/tasks.ts';

/** What account holders let happen is remembered, and a change counts from its answer on all the same (ADR 7). */

/** Longer than any test. */
const FOR_EVER_MS = 3_600_000;
const LEASE_MS = 500;
/** As the owner adds for a commit that began within the lease. */
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

const sale = (): Promise<KeyedTransfer> => trade(scene, {}, { traderId: scene.onboarded });
const sell = async (by: Pick<Tasks, 'startAll'> = tasks) => (await by.startAll([await sale()]))[0];

/** Resolves after a time on the `performance.now()` clock, by which services and owner go. */
const past = async (time: number): Promise<void> => {
  await eventually(() => Promise.resolve(performance.now() > time), 'the time');
};

/** Resolves as the owner answers: when every lease that was given before has ended. */
async function suspend(): Promise<void> {
  tasks.neighbours.suspended.add(scene.holder);
  await past(performance.now() + LEASE_MS + COMMIT_MS);
}

const countTasks = async (): Promise<number> =>
  (await tasks.service.sql('select 1 from task where sales_channel_id = $1', [scene.channel])).length;

describe('answers', () => {
  test('are asked for once, whatever the number of trades', async () => {
    tasks.neighbours.holders.leaseMs = FOR_EVER_MS;
    const before = tasks.neighbours.holders.questions;
    for (let trades = 0; trades < 3; trades++) expect((await sell())?.task?.status).toBe('PENDING');
    expect(tasks.neighbours.holders.questions - before).toBe(1);
  });

  test('of an owner that gives no lease are asked for each time, and count at once', async () => {
    tasks.neighbours.holders.leaseMs = 0;
    expect((await sell())?.task?.status).toBe('PENDING');
    tasks.neighbours.suspended.add(scene.holder);
    expect(refusalOf(await sell()).violations).toEqual(['traderId account-holder-suspended']);
  });

  test('that there is no such account holder are not remembered', async () => {
    tasks.neighbours.holders.leaseMs = FOR_EVER_MS;
    tasks.neighbours.traders.set(scene.onboarded, 'gone');
    const before = tasks.neighbours.holders.questions;
    await sell();
    await sell();
    expect(tasks.neighbours.holders.questions - before).toBe(2);
  });
});

describe('a trade that was judged before its account holder was suspended is accepted after that by no means', () => {
  test('held up by the check of its selections', async () => {
    const suspended = Promise.withResolvers<void>();
    tasks.neighbours.checking.before = () => suspended.promise;
    const before = tasks.neighbours.holders.questions;
    const selling = sell();
    await eventually(() => Promise.resolve(tasks.neighbours.holders.questions > before), 'the question');
    await suspend();
    suspended.resolve();
    expect(refusalOf(await selling).violations).toEqual(['traderId account-holder-suspended']);
    expect(await countTasks()).toBe(0);
  });

  // The first is written before the last round trip of the transaction, the second travels with the commit.
  test.each(['task', 'outbox'])('held up while it writes the table %s', async (table) => {
    const other = createConnection(tasks.service.databaseUrl, { patience: { idleInTransactionMs: 0 } });
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
      expect(refusalOf(await selling).violations).toEqual(['traderId account-holder-suspended']);
      expect(await countTasks()).toBe(0);
    } finally {
      await other.end();
    }
  });
});

test('whenever an account holder is suspended, neither of two replicas accepts a trade after the answer', async () => {
  const ROUNDS = 5;
  const SELLERS = 4;
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    scene = tasks.newScene();
    // Some trades are judged and would be accepted only after their lease.
    tasks.neighbours.checking.before = () => past(performance.now() + Math.random() * 3 * LEASE_MS);
    let isAnswered = false;
    const sellUntilAnswered = async (index: number): Promise<void> => {
      while (!isAnswered) await sell(index % 2 === 0 ? tasks : replica);
    };
    const sellers = Array.from({ length: SELLERS }, (_, index) => sellUntilAnswered(index));
    await eventually(async () => (await countTasks()) > 0, 'a trade');
    await suspend();
    const accountedFor = await countTasks();
    isAnswered = true;
    await Promise.all(sellers);
    expect(await countTasks()).toBe(accountedFor);
    accepted += accountedFor;
  }
  expect(accepted).toBeGreaterThan(0);
});
