import { describe, expect, test } from '@jest/globals';
import { groupsOf, lastMonths, type TransactionSum } from './sums.ts';

const sum = (key: string, type: TransactionSum['type'], volume: number): TransactionSum => ({
  key,
  type,
  transactions: 1,
  volume,
});

describe('sums of transactions', () => {
  test('are grouped by key, with each type in its place', () => {
    expect(groupsOf([sum('2024', 'RETIREMENT', 30), sum('2023', 'TRADE', 5), sum('2024', 'TRADE', 12)])).toEqual([
      { key: '2023', volumes: [5n, 0n, 0n], volume: 5n },
      { key: '2024', volumes: [12n, 30n, 0n], volume: 42n },
    ]);
  });

  test('have a place for months in which nothing moved', () => {
    expect(groupsOf([sum('2026-02', 'OFFRAMP', 7)], ['2026-01', '2026-02']).map(({ volume }) => volume)).toEqual([
      0n,
      7n,
    ]);
  });

  test('go over the end of a year, from any day', () => {
    const months = lastMonths(Date.parse('2026-03-31T23:59:59Z'));
    expect([months.length, months[0], months.at(-1), months.includes('2026-02')]).toEqual([
      12,
      '2025-04',
      '2026-03',
      true,
    ]);
  });
});
