import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@saleschannel/runtime';
import { createTotalsJob } from '../src/index.ts';

const LONG_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A database whose transactions end on command. */
function slowDatabase() {
  const begun: ((value: never) => void)[] = [];
  const transaction = () => new Promise<never>((resolve) => begun.push(resolve));
  return {
    transaction,
    count: () => begun.length,
    endAll: (value: boolean) => {
      for (const resolve of begun.splice(0)) resolve(value as never);
    },
  };
}

test('the job waits for a slow database, and makes up for no missed runs', async () => {
  const database = slowDatabase();
  const job = createTotalsJob({ database, logger: silentLogger });
  await job.start();
  await jest.advanceTimersByTimeAsync(LONG_MS);
  expect(database.count()).toBe(1);
  database.endAll(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(database.count()).toBe(0);
  await jest.advanceTimersByTimeAsync(LONG_MS);
  expect(database.count()).toBe(1);
  database.endAll(false);
  await job.stop();
});

test('stop waits for the current transaction and begins no other', async () => {
  const database = slowDatabase();
  let more = 0;
  const also = () => Promise.resolve(void more++);
  const job = createTotalsJob({ database, logger: silentLogger, also });
  await job.start();
  await jest.advanceTimersByTimeAsync(LONG_MS);
  const stopped = job.stop();
  database.endAll(true);
  await stopped;
  await jest.advanceTimersByTimeAsync(LONG_MS);
  expect({ begun: database.count(), more }).toEqual({ begun: 0, more: 0 });
});
