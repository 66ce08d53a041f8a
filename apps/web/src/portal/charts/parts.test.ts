import { expect, test } from '@jest/globals';
import { partsOf } from './parts.ts';

test('parts of a bar follow one another, in percent of the largest one', () => {
  expect(partsOf([1n, 2n, 1n], 8n)).toEqual([
    { from: 0, width: 12.5 },
    { from: 12.5, width: 25 },
    { from: 37.5, width: 12.5 },
  ]);
});

test('what is little is seen, what is nothing is not, and sums beyond any number of JavaScript are exact', () => {
  const largest = 10n ** 30n;
  expect(partsOf([0n, 1n, largest], largest)).toEqual([
    { from: 0, width: 0 },
    { from: 0, width: 0.5 },
    { from: 0, width: 100 },
  ]);
});
