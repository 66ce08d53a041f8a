import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FairShare } from '@saleschannel/runtime';
import { Lanes, type Lane } from './lanes.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Lanes with passes over endpoints that do not answer until they are told to. */
function frozenReceivers() {
  const lanes = new Lanes((options) => new FairShare(options));
  const begun = new Map<string, number>();
  const ends: (() => void)[] = [];
  const passes: Promise<void>[] = [];
  const sent: [string, Lane][] = [];
  return {
    begun,
    slowOf: (channel: string) => sent.filter(([name, lane]) => name === channel && lane.isSlow()).length,
    async hang(channel: string, count: number): Promise<void> {
      for (let pass = 0; pass < count; pass++)
        passes.push(
          lanes.run(channel, false, async (lane) => {
            begun.set(channel, (begun.get(channel) ?? 0) + 1);
            sent.push([channel, lane]);
            await lane.send(() => new Promise<void>((resolve) => ends.push(resolve)));
          }),
        );
      for (let second = 0; second < 10; second++) await jest.advanceTimersByTimeAsync(1_001);
    },
    async end(): Promise<void> {
      while (ends.length > 0) {
        for (const end of ends.splice(0)) end();
        await jest.advanceTimersByTimeAsync(1);
      }
      await Promise.all(passes);
    },
  };
}

test('slow receivers of one channel leave slow places, and so turns, for those of other channels', async () => {
  const { begun, hang, end } = frozenReceivers();
  await hang('first', 200);
  // 32 places of its own, and 13 slow ones.
  expect(begun.get('first')).toBe(45);
  for (const channel of ['second', 'third', 'fourth']) await hang(channel, 17);
  expect([begun.get('second'), begun.get('third'), begun.get('fourth')]).toEqual([17, 17, 17]);
  await end();
  expect(begun.get('first')).toBe(200);
});

test.each([4, 5])('slow receivers of %i channels leave slow places for those of one more', async (count) => {
  const { slowOf, hang, end } = frozenReceivers();
  const channels = Array.from({ length: count }, (_, place) => `channel ${place}`);
  // As many endpoints as a channel may have.
  for (const channel of channels) await hang(channel, 20);
  await hang('one more', 1);
  expect(slowOf('one more')).toBe(1);
  expect(Math.min(...channels.map(slowOf))).toBeGreaterThan(3);
  await end();
});
