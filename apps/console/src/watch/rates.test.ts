import { expect, test } from '@jest/globals';
import { Rate } from './watch.ts';

const rateOf = (...samples: [count: bigint | undefined, atMs: number][]): number | null => {
  const rate = new Rate();
  for (const [count, atMs] of samples) rate.add(count, atMs);
  return rate.perSecond;
};

test('a rate needs two counts, and covers the last six', () => {
  expect(rateOf()).toBeNull();
  expect(rateOf([5n, 0])).toBeNull();
  expect(rateOf([5n, 0], [10n, 2_000])).toBe(2.5);
  const slowThenFast = [0n, 0n, 10n, 20n, 30n, 40n, 50n].map((count, index): [bigint, number] => [
    count,
    index * 1_000,
  ]);
  expect(rateOf(...slowThenFast)).toBe(10);
});

test('differences of large counts are exact', () => {
  expect(rateOf([9_007_199_254_740_993n, 0], [9_007_199_254_740_994n, 1_000])).toBe(1);
});

test('a missing or smaller count restarts the measurement', () => {
  expect(rateOf([5n, 0], [undefined, 1_000], [50n, 2_000])).toBeNull();
  expect(rateOf([50n, 0], [5n, 1_000])).toBeNull();
  expect(rateOf([50n, 0], [5n, 1_000], [8n, 2_000])).toBe(3);
});
