import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemClock, type Clock } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import type { Progress } from '../src/domain/reconciliation.ts';
import { createReconciliationJob } from '../src/jobs/reconcile.ts';
import { type StatusConsumer, Reconciler } from '../src/operations/reconcile.ts';
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

const createConsumer = (name: string, progress: () => Promise<Map<string, Progress>>): StatusConsumer => ({
  name,
  readProgress: progress,
});
/** A consumer without progress. */
const empty = createConsumer('events', () => Promise.resolve(new Map()));
const upto = (last: bigint): Promise<Map<string, Progress>> =>
  Promise.resolve(new Map([[salesChannelId, { upto: last, highest: last, gaps: [] }]]));

const createReconciler = (consumers: StatusConsumer[], { graceSeconds = 0, clock = systemClock as Clock } = {}) =>
  new Reconciler({ database: ledger.database, clock, consumers, graceSeconds });

/** A stopped clock, so that on a slow machine no wait for republishing ends. */
const stopClock = (): Clock => {
  const now = new Date();
  return { now: () => now };
};

const { signal } = new AbortController();
const request = () => ({ salesChannelId, onlyLook: false, isUrgent: false, signal });

const toSequences = (changes: readonly { sequence: string }[]): number[] =>
  changes.map(({ sequence }) => Number(sequence));
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('does not republish changes that may be in transit', async () => {
  await ledger.insertChanges(salesChannelId, 1, 2);
  const found = await createReconciler([empty], { graceSeconds: 3_600 }).run(request());
  expect(found).toMatchObject({ hasMore: false, consumers: [{ lagEntries: 2n, republished: 0, isComplete: true }] });
  expect(await ledger.takePublished()).toEqual([]);
});

test('republishes overtaken changes after a short wait, and no later ones', async () => {
  await ledger.insertChanges(salesChannelId, 1, 5, 11);
  const overtaken = createConsumer('events', () =>
    Promise.resolve(new Map([[salesChannelId, { upto: 1n, highest: 4n, gaps: [{ first: 2n, last: 3n }] }]])),
  );
  const found = await createReconciler([overtaken], { graceSeconds: 3_600 }).run(request());
  expect(found).toMatchObject({ consumers: [{ lagEntries: 3n, republished: 2 }] });
  expect(toSequences(await ledger.takePublished())).toEqual([2, 3]);
});

test('does not republish recently overtaken changes before they are due', async () => {
  await ledger.insertChanges(salesChannelId, 1, 5, 4);
  const overtaken = createConsumer('events', () =>
    Promise.resolve(new Map([[salesChannelId, { upto: 1n, highest: 4n, gaps: [{ first: 2n, last: 3n }] }]])),
  );
  const found = await createReconciler([overtaken], { graceSeconds: 3_600 }).run(request());
  expect(found).toMatchObject({ hasMore: false, consumers: [{ lagEntries: 3n, republished: 0 }] });
  expect(found?.dueInSeconds).toBeGreaterThan(0);
  expect(found?.dueInSeconds).toBeLessThanOrEqual(6);
});

test('republishes a thousand changes per run in order, and continues in the next run', async () => {
  await ledger.insertChanges(salesChannelId, 1, 2_300);
  const reconciler = createReconciler([empty], { clock: stopClock() });
  const rounds: number[][] = [];
  for (let hasMore = true; hasMore;) {
    hasMore = (await reconciler.run(request()))?.hasMore ?? false;
    rounds.push(toSequences(await ledger.takePublished()));
  }
  expect(rounds).toEqual([numbers(1, 1_000), numbers(1_001, 2_000), numbers(2_001, 2_300), []]);
});

test('republishes a change that two consumers lack once', async () => {
  await ledger.insertChanges(salesChannelId, 1, 5);
  const second = createConsumer('tasks', () => upto(3n));
  const found = await createReconciler([empty, second]).run(request());
  expect(found?.consumers).toMatchObject([
    { consumer: 'events', republished: 5 },
    { consumer: 'tasks', republished: 2 },
  ]);
  expect(toSequences(await ledger.takePublished())).toEqual(numbers(1, 5));
});

test('repeats after a growing wait, sooner for an operator', async () => {
  await ledger.insertChanges(salesChannelId, 1, 2);
  let nowMs = Date.now();
  const reconciler = createReconciler([empty], { clock: { now: () => new Date(nowMs) } });
  const publishedAfter = async (ms: number, isUrgent = false): Promise<number> => {
    nowMs += ms;
    await reconciler.run({ ...request(), isUrgent });
    return (await ledger.takePublished()).length;
  };
  expect(await publishedAfter(0)).toBe(2);
  expect(await publishedAfter(999)).toBe(0);
  expect(await publishedAfter(1)).toBe(2);
  expect(await publishedAfter(1_999)).toBe(0);
  expect(await publishedAfter(1)).toBe(2);
  expect(await publishedAfter(1_000)).toBe(0);
  expect(await publishedAfter(0, true)).toBe(2);
});

test('republishes for a consumer that was restored to an earlier time', async () => {
  await ledger.insertChanges(salesChannelId, 1, 4);
  let applied = 4n;
  const reconciler = createReconciler([createConsumer('events', () => upto(applied))]);
  await reconciler.run(request());
  expect(await ledger.takePublished()).toEqual([]);
  applied = 1n;
  await reconciler.run(request());
  expect(toSequences(await ledger.takePublished())).toEqual([2, 3, 4]);
});

test('adds nothing to an outbox that does not advance', async () => {
  await ledger.insertChanges(salesChannelId, 1, 2);
  await ledger.run(
    `insert into outbox (type, body, created_at)
     values ('inventory.transaction.status-changed.v1', '{"entries":[]}', now() - interval '1 minute')`,
  );
  expect((await createReconciler([empty]).run(request()))?.consumers).toMatchObject([
    { lagEntries: 2n, republished: 0 },
  ]);
  expect(await ledger.takePublished()).toEqual([]);
  expect((await createReconciler([empty]).run(request()))?.consumers).toMatchObject([{ republished: 2 }]);
  await ledger.takePublished();
});

test('only one replica at a time republishes', async () => {
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Map<string, Progress>>();
  const slow = createConsumer('events', () => {
    called.resolve();
    return answer.promise;
  });
  const first = createReconciler([slow]).run(request());
  await called.promise;
  expect(await createReconciler([empty]).run(request())).toBeUndefined();
  answer.resolve(new Map());
  expect(await first).toBeDefined();
  expect(await createReconciler([empty]).run(request())).toBeDefined();
});

test('returns connections that the server ended to the pool', async () => {
  const endLock = createConsumer('events', async () => {
    await ledger.run(
      `select pg_terminate_backend(pid, 5000) from pg_locks
       where locktype = 'advisory' and granted and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return new Map();
  });
  for (let run = 0; run <= ledger.database.poolMax; run++)
    await expect(createReconciler([endLock]).run(request())).rejects.toMatchObject({ code: 'unavailable' });
  expect(await createReconciler([empty]).run(request())).toBeDefined();
});

describe('the job', () => {
  test('compares periodically even if a consumer fails, until it is stopped', async () => {
    let calls = 0;
    const failing = createConsumer('events', () => {
      calls++;
      return Promise.reject(new Error('away'));
    });
    const job = createReconciliationJob({ reconciler: createReconciler([failing]), seconds: 1, logger: silentLogger });
    await job.start();
    await eventually(() => Promise.resolve(calls >= 2), 'two comparisons');
    await job.stop();
  });

  test('compares again when an overtaken change is due, and not before', async () => {
    jest.useFakeTimers();
    try {
      const dues = [6, undefined, 6];
      const run = jest.fn(() => Promise.resolve({ consumers: [], hasMore: false, dueInSeconds: dues.shift() }));
      const job = createReconciliationJob({ reconciler: { run }, seconds: 15, logger: silentLogger });
      await job.start();
      await jest.advanceTimersByTimeAsync(15_000);
      expect(run).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(6_000);
      expect(run).toHaveBeenCalledTimes(1);
      await jest.advanceTimersByTimeAsync(500);
      expect(run).toHaveBeenCalledTimes(2);
      await jest.advanceTimersByTimeAsync(8_500);
      expect(run).toHaveBeenCalledTimes(3);
      // Stops during the wait.
      await job.stop();
      expect(run).toHaveBeenCalledTimes(3);
    } finally {
      jest.useRealTimers();
    }
  });

  test('continues at once while more is to be republished', async () => {
    await ledger.insertChanges(salesChannelId, 1, 2_000);
    const job = createReconciliationJob({
      reconciler: { run: (all) => reconciler.run({ ...all, salesChannelId }) },
      seconds: 1,
      logger: silentLogger,
    });
    const reconciler = createReconciler([empty], { clock: stopClock() });
    const published: number[] = [];
    await job.start();
    await eventually(async () => {
      published.push(...toSequences(await ledger.takePublished()));
      return published.length >= 2_000;
    }, '2,000 changes');
    await job.stop();
    expect(published.slice(0, 2_000)).toEqual(numbers(1, 2_000));
  });
});
