import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { HeldRefusals } from './held-refusals.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const gone = () => new AbortController();

/** Whether the answer may be sent by now. */
async function isOver(holding: Promise<void>): Promise<boolean> {
  const still = Symbol('still');
  return (await Promise.race([holding, Promise.resolve(still)])) !== still;
}

test('an answer is held for the time that is set', async () => {
  const holding = new HeldRefusals({ delayMs: 500 }).hold(gone().signal);
  await jest.advanceTimersByTimeAsync(499);
  expect(await isOver(holding)).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(await isOver(holding)).toBe(true);
});

test('a client that goes away is held no longer, and makes room', async () => {
  const refusals = new HeldRefusals({ delayMs: 500, atMost: 1 });
  const client = gone();
  const first = refusals.hold(client.signal);
  expect(await isOver(refusals.hold(gone().signal))).toBe(true);
  client.abort();
  await first;
  expect(await isOver(refusals.hold(gone().signal))).toBe(false);
});

test('nothing is held for a client that is gone, or where it is switched off', async () => {
  const client = gone();
  client.abort();
  expect(await isOver(new HeldRefusals({ delayMs: 500 }).hold(client.signal))).toBe(true);
  expect(await isOver(new HeldRefusals({ delayMs: 0 }).hold(gone().signal))).toBe(true);
});
