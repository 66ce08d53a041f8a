import { describe, expect, test } from '@jest/globals';
import { groupSums, listLastMonths, layOutSegments, type TransactionSum } from './sums.ts';

const sum = (key: string, type: TransactionSum['type'], volume: number): TransactionSum => ({
  key,
  type,
  transactions: 1,
  volume,
});

describe('sums of transactions', () => {
  test('are grouped by key, with one column per type', () => {
    expect(groupSums([sum('2024', 'RETIREMENT', 30), sum('2023', 'TRADE', 5), sum('2024', 'TRADE', 12)])).toEqual([
      { key: '2023', volumes: [5n, 0n, 0n], volume: 5n },
      { key: '2024', volumes: [12n, 30n, 0n], volume: 42n },
    ]);
  });

  test('include months without volume', () => {
    expect(groupSums([sum('2026-02', 'OFFRAMP', 7)], ['2026-01', '2026-02']).map(({ volume }) => volume)).toEqual([
      0n,
      7n,
    ]);
  });

  test('span a year from any day', () => {
    const months = listLastMonths(Date.parse('2026-03-31T23:59:59Z'));
    expect([months.length, months[0], months.at(-1), months.includes('2026-02')]).toEqual([
      12,
      '2025-04',
      '2026-03',
      true,
    ]);
  });
});

test('segments of a bar follow one another, in percent of the largest bar', () => {
  expect(layOutSegments([1n, 2n, 1n], 8n)).toEqual([
    { from: 0, width: 12.5 },
    { from: 12.5, width: 25 },
    { from: 37.5, width: 12.5 },
  ]);
});

test('small volumes stay visible, zero has no width, and large sums are exact', () => {
  const largest = 10n ** 30n;
  expect(layOutSegments([0n, 1n, largest], largest)).toEqual([
    { from: 0, width: 0 },
    { from: 0, width: 0.5 },
    { from: 0, width: 100 },
  ]);
});
