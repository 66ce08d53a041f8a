import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FairShare } from '@saleschannel/runtime';
import { DeliveryQueues, type RunSlot } from './delivery-queues.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Creates queues with runs for receivers that answer only when told to. */
function frozenReceivers() {
  const queues = new DeliveryQueues((options) => new FairShare(options));
  const begun = new Map<string, number>();
  const ends: (() => void)[] = [];
  const runs: Promise<void>[] = [];
  const sent: [string, RunSlot][] = [];
  return {
    begun,
    countSlow: (channel: string) => sent.filter(([name, slot]) => name === channel && slot.isSlow()).length,
    async hang(channel: string, count: number): Promise<void> {
      for (let run = 0; run < count; run++)
        runs.push(
          queues.run(channel, false, async (slot) => {
            begun.set(channel, (begun.get(channel) ?? 0) + 1);
            sent.push([channel, slot]);
            await slot.send(() => new Promise<void>((resolve) => ends.push(resolve)));
          }),
        );
      for (let second = 0; second < 10; second++) await jest.advanceTimersByTimeAsync(1_001);
    },
    async end(): Promise<void> {
      while (ends.length > 0) {
        for (const end of ends.splice(0)) end();
        await jest.advanceTimersByTimeAsync(1);
      }
      await Promise.all(runs);
    },
  };
}

test('slow receivers of one channel leave slow places for other channels', async () => {
  const { begun, hang, end } = frozenReceivers();
  await hang('first', 200);
  // 32 regular places and 13 slow ones.
  expect(begun.get('first')).toBe(45);
  for (const channel of ['second', 'third', 'fourth']) await hang(channel, 17);
  expect([begun.get('second'), begun.get('third'), begun.get('fourth')]).toEqual([17, 17, 17]);
  await end();
  expect(begun.get('first')).toBe(200);
});

test.each([4, 5])('slow receivers of %i channels leave slow places for one more channel', async (count) => {
  const { countSlow, hang, end } = frozenReceivers();
  const channels = Array.from({ length: count }, (_, index) => `channel ${index}`);
  // The maximum of endpoints per channel.
  for (const channel of channels) await hang(channel, 20);
  await hang('one more', 1);
  expect(countSlow('one more')).toBe(1);
  expect(Math.min(...channels.map(countSlow))).toBeGreaterThan(3);
  await end();
});
