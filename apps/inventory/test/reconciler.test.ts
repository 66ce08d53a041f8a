import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemClock, type Clock } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import type { Progress } from '../src/domain/reconciliation.ts';
import { createReconciliation } from '../src/jobs/reconcile.ts';
import type { StatusConsumer } from '../src/neighbours/consumers.ts';
import { Reconciler } from '../src/operations/reconcile.ts';
import { startBareLedger, type BareLedger } from './support/bare-ledger.ts';

let ledger: BareLedger;
let salesChannelId: string;
let channels = 0;
beforeAll(async () => {
  ledger = await startBareLedger();
});
beforeEach(() => {
  salesChannelId = `c${++channels}`;
});
afterAll(() => ledger.stop());

const consumerOf = (name: string, progress: () => Promise<Map<string, Progress>>): StatusConsumer => ({
  name,
  progress,
});
/** A consumer that has applied nothing. */
const empty = consumerOf('events', () => Promise.resolve(new Map()));
const upto = (last: bigint): Promise<Map<string, Progress>> =>
  Promise.resolve(new Map([[salesChannelId, { upto: last, highest: last, gaps: [] }]]));

const reconcilerOf = (consumers: StatusConsumer[], { graceSeconds = 0, clock = systemClock as Clock } = {}) =>
  new Reconciler({ database: ledger.database, clock, consumers, graceSeconds });

/** Stands still: however slow the machine is, nothing was published so long ago that it is published again. */
const stillClock = (): Clock => {
  const now = new Date();
  return { now: () => now };
};

const { signal } = new AbortController();
const request = () => ({ salesChannelId, onlyLook: false, isUrgent: false, signal });

const sequencesOf = (changes: readonly { sequence: string }[]): number[] =>
  changes.map(({ sequence }) => Number(sequence));
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('what may still be on its way is left alone', async () => {
  await ledger.end(salesChannelId, 1, 2);
  const found = await reconcilerOf([empty], { graceSeconds: 3_600 }).run(request());
  expect(found).toMatchObject({ hasMore: false, consumers: [{ lagEntries: 2n, republished: 0, isComplete: true }] });
  expect(await ledger.published()).toEqual([]);
});

test('what a later change has overtaken is asked for soon, and what follows it is left alone', async () => {
  await ledger.end(salesChannelId, 1, 5, 11);
  const overtaken = consumerOf('events', () =>
    Promise.resolve(new Map([[salesChannelId, { upto: 1n, highest: 4n, gaps: [{ first: 2n, last: 3n }] }]])),
  );
  const found = await reconcilerOf([overtaken], { graceSeconds: 3_600 }).run(request());
  expect(found).toMatchObject({ consumers: [{ lagEntries: 3n, republished: 2 }] });
  expect(sequencesOf(await ledger.published())).toEqual([2, 3]);
});

test('what a later change has overtaken a moment ago is left alone until it is due', async () => {
  await ledger.end(salesChannelId, 1, 5, 4);
  const overtaken = consumerOf('events', () =>
    Promise.resolve(new Map([[salesChannelId, { upto: 1n, highest: 4n, gaps: [{ first: 2n, last: 3n }] }]])),
  );
  const found = await reconcilerOf([overtaken], { graceSeconds: 3_600 }).run(request());
  expect(found).toMatchObject({ hasMore: false, consumers: [{ lagEntries: 3n, republished: 0 }] });
  expect(found?.dueInSeconds).toBeGreaterThan(0);
  expect(found?.dueInSeconds).toBeLessThanOrEqual(6);
});

test('a thousand are published at once, in order, and the next time goes on where this one ended', async () => {
  await ledger.end(salesChannelId, 1, 2_300);
  const reconciler = reconcilerOf([empty], { clock: stillClock() });
  const rounds: number[][] = [];
  for (let hasMore = true; hasMore;) {
    hasMore = (await reconciler.run(request()))?.hasMore ?? false;
    rounds.push(sequencesOf(await ledger.published()));
  }
  expect(rounds).toEqual([numbers(1, 1_000), numbers(1_001, 2_000), numbers(2_001, 2_300), []]);
});

test('what two consumers lack is published once', async () => {
  await ledger.end(salesChannelId, 1, 5);
  const further = consumerOf('tasks', () => upto(3n));
  const found = await reconcilerOf([empty, further]).run(request());
  expect(found?.consumers).toMatchObject([
    { consumer: 'events', republished: 5 },
    { consumer: 'tasks', republished: 2 },
  ]);
  expect(sequencesOf(await ledger.published())).toEqual(numbers(1, 5));
});

test('what was published in vain is published again after a growing wait, sooner when an operator asks', async () => {
  await ledger.end(salesChannelId, 1, 2);
  let nowMs = Date.now();
  const reconciler = reconcilerOf([empty], { clock: { now: () => new Date(nowMs) } });
  const publishedAfter = async (ms: number, isUrgent = false): Promise<number> => {
    nowMs += ms;
    await reconciler.run({ ...request(), isUrgent });
    return (await ledger.published()).length;
  };
  expect(await publishedAfter(0)).toBe(2);
  expect(await publishedAfter(999)).toBe(0);
  expect(await publishedAfter(1)).toBe(2);
  expect(await publishedAfter(1_999)).toBe(0);
  expect(await publishedAfter(1)).toBe(2);
  expect(await publishedAfter(1_000)).toBe(0);
  expect(await publishedAfter(0, true)).toBe(2);
});

test('a consumer that was restored to an earlier time gets what it lacks anew', async () => {
  await ledger.end(salesChannelId, 1, 4);
  let has = 4n;
  const reconciler = reconcilerOf([consumerOf('events', () => upto(has))]);
  await reconciler.run(request());
  expect(await ledger.published()).toEqual([]);
  has = 1n;
  await reconciler.run(request());
  expect(sequencesOf(await ledger.published())).toEqual([2, 3, 4]);
});

test('an outbox that does not move gets nothing more', async () => {
  await ledger.end(salesChannelId, 1, 2);
  await ledger.run(
    `insert into outbox (type, body, created_at)
     values ('inventory.transaction.status-changed.v1', '{"entries":[]}', now() - interval '1 minute')`,
  );
  expect((await reconcilerOf([empty]).run(request()))?.consumers).toMatchObject([{ lagEntries: 2n, republished: 0 }]);
  expect(await ledger.published()).toEqual([]);
  expect((await reconcilerOf([empty]).run(request()))?.consumers).toMatchObject([{ republished: 2 }]);
  await ledger.published();
});

test('one replica at a time publishes', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Map<string, Progress>>();
  const slow = consumerOf('events', () => {
    asked.resolve();
    return answer.promise;
  });
  const first = reconcilerOf([slow]).run(request());
  await asked.promise;
  expect(await reconcilerOf([empty]).run(request())).toBeUndefined();
  answer.resolve(new Map());
  expect(await first).toBeDefined();
  expect(await reconcilerOf([empty]).run(request())).toBeDefined();
});

test('a session that the server ends in the middle is given back: the pool lasts, and can be closed', async () => {
  const endLock = consumerOf('events', async () => {
    await ledger.run(
      `select pg_terminate_backend(pid, 5000) from pg_locks
       where locktype = 'advisory' and granted and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return new Map();
  });
  for (let run = 0; run <= ledger.database.poolMax; run++)
    await expect(reconcilerOf([endLock]).run(request())).rejects.toMatchObject({ code: 'unavailable' });
  expect(await reconcilerOf([empty]).run(request())).toBeDefined();
});

describe('the job', () => {
  test('compares from time to time, although a consumer fails, and ends when it is told to', async () => {
    let asked = 0;
    const failing = consumerOf('events', () => {
      asked++;
      return Promise.reject(new Error('away'));
    });
    const job = createReconciliation({ reconciler: reconcilerOf([failing]), seconds: 1, logger: silentLogger });
    await job.start();
    await eventually(() => Promise.resolve(asked >= 2), 'two comparisons');
    await job.stop();
  });

  test('compares again when a change that was overtaken is due, and not before', async () => {
    jest.useFakeTimers();
    try {
      const dues = [6, undefined, 6];
      const run = jest.fn(() => Promise.resolve({ consumers: [], hasMore: false, dueInSeconds: dues.shift() }));
      const job = createReconciliation({ reconciler: { run }, seconds: 15, logger: silentLogger });
      await job.start();
      await jest.advanceTimersByTimeAsync(15_000);
      expect(run).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(6_000);
      expect(run).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(500);
      expect(run).toHaveBeenCalledTimes(2);
      await jest.advanceTimersByTimeAsync(8_500);
      expect(run).toHaveBeenCalledTimes(3);
      // While it waits.
      await job.stop();
      expect(run).toHaveBeenCalledTimes(3);
    } finally {
      jest.useRealTimers();
    }
  });

  test('goes on at once while there is more', async () => {
    await ledger.end(salesChannelId, 1, 2_000);
    const job = createReconciliation({
      reconciler: { run: (all) => reconciler.run({ ...all, salesChannelId }) },
      seconds: 1,
      logger: silentLogger,
    });
    const reconciler = reconcilerOf([empty], { clock: stillClock() });
    const published: number[] = [];
    await job.start();
    await eventually(async () => {
      published.push(...sequencesOf(await ledger.published()));
      return published.length >= 2_000;
    }, '2,000 changes');
    await job.stop();
    expect(published.slice(0, 2_000)).toEqual(numbers(1, 2_000));
  });
});
