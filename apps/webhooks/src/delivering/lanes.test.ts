import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FairShare } from '@saleschannel/runtime';
import { Lanes } from './lanes.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('slow receivers of one channel leave slow places, and so turns, for those of other channels', async () => {
  const lanes = new Lanes((options) => new FairShare(options));
  const begun = new Map<string, number>();
  const ends: (() => void)[] = [];
  /** Passes over endpoints that never answer. */
  const hang = (channel: string, passes: number): Promise<void>[] =>
    Array.from({ length: passes }, () =>
      lanes.run(channel, false, async (lane) => {
        begun.set(channel, (begun.get(channel) ?? 0) + 1);
        await lane.send(() => new Promise<void>((resolve) => ends.push(resolve)));
      }),
    );
  const first = hang('first', 200);
  for (let second = 0; second < 10; second++) await jest.advanceTimersByTimeAsync(1_001);
  // 32 places of its own, and 16 slow ones.
  expect(begun.get('first')).toBe(48);
  const others = ['second', 'third', 'fourth'].map((channel) => hang(channel, 17));
  for (let second = 0; second < 10; second++) await jest.advanceTimersByTimeAsync(1_001);
  expect([begun.get('second'), begun.get('third'), begun.get('fourth')]).toEqual([17, 17, 17]);
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end();
    await jest.advanceTimersByTimeAsync(1);
  }
  await Promise.all([...first, ...others.flat()]);
  expect(begun.get('first')).toBe(200);
});
