import { describe, expect, test } from '@jest/globals';
import {
  RepublishAttempts,
  countBeyondLedger,
  findDifferences,
  countSequences,
  type ChannelRange,
  type Progress,
} from './reconciliation.ts';

const range = (first: bigint, last: bigint, salesChannelId = 'c'): ChannelRange => ({ salesChannelId, first, last });
const progress = (upto: bigint, highest: bigint, ...gaps: [bigint, bigint][]): Progress => ({
  upto,
  highest,
  gaps: gaps.map(([first, last]) => ({ first, last })),
});

describe('changes that a consumer lacks', () => {
  test.each([
    ['all changes of an unknown channel', 3n, undefined, [range(1n, 3n)]],
    ['changes after its highest sequence', 5n, progress(3n, 3n), [range(4n, 5n)]],
    [
      'changes in gaps, and after the highest sequence',
      9n,
      progress(2n, 7n, [3n, 4n], [6n, 6n]),
      [range(3n, 4n), range(6n, 6n), range(8n, 9n)],
    ],
    ['only changes of the ledger, if the consumer is ahead', 4n, progress(1n, 9n, [2n, 7n]), [range(2n, 4n)]],
    ['none, if the consumer is ahead without gaps', 4n, progress(9n, 9n), []],
  ] as const)('%s', (_name, last, applied, missing) => {
    const found = findDifferences(new Map([['c', last]]), new Map(applied ? [['c', applied]] : []));
    expect(found.flatMap((each) => each.missing)).toEqual(missing);
    expect(found).toHaveLength(1);
  });

  test('a channel without differences is not returned', () => {
    expect(findDifferences(new Map([['c', 4n]]), new Map([['c', progress(4n, 4n)]]))).toEqual([]);
    expect(findDifferences(new Map(), new Map())).toEqual([]);
  });

  test('for a channel that the ledger does not know, the consumer is ahead', () => {
    const [found] = findDifferences(new Map(), new Map([['gone', progress(3n, 3n)]]));
    expect(found).toEqual({ salesChannelId: 'gone', last: 0n, upto: 3n, highest: 3n, missing: [] });
    expect(found && countBeyondLedger(found)).toBe(3n);
  });

  test('counts ranges inclusively, beyond the precision of a double', () => {
    expect(countSequences([range(1n, 1n), range(5n, 9n)])).toBe(6n);
    expect(countSequences([range(1n, 9_007_199_254_740_993n)])).toBe(9_007_199_254_740_993n);
  });
});

describe('repeated republishing', () => {
  const createDifference = (...missing: ChannelRange[]) => ({
    salesChannelId: 'c',
    last: 9n,
    upto: 0n,
    highest: 0n,
    missing,
  });

  test('waits twice as long each time, up to an hour, except for new changes', () => {
    const attempts = new RepublishAttempts(1_000);
    const waits: number[] = [];
    let nowMs = 0;
    for (let attempt = 0; attempt < 15; attempt++) {
      expect(attempts.selectDue(createDifference(range(1n, 5n)), nowMs, false)).toEqual([range(1n, 5n)]);
      attempts.record('c', 5n, nowMs);
      expect(attempts.selectDue(createDifference(range(2n, 7n)), nowMs, false)).toEqual([range(6n, 7n)]);
      const from = nowMs;
      while (attempts.selectDue(createDifference(range(1n, 5n)), nowMs, false).length === 0) nowMs += 500;
      waits.push(nowMs - from);
    }
    expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(waits.at(-1)).toBe(3_600_000);
  });

  test('waits only the first interval for an operator', () => {
    const attempts = new RepublishAttempts(1_000);
    for (const atMs of [0, 1_000, 3_000]) attempts.record('c', 5n, atMs);
    expect(attempts.selectDue(createDifference(range(1n, 5n)), 4_000, false)).toEqual([]);
    expect(attempts.selectDue(createDifference(range(1n, 5n)), 4_000, true)).toEqual([range(1n, 5n)]);
    expect(attempts.selectDue(createDifference(range(1n, 5n)), 3_999, true)).toEqual([]);
  });

  test('starts over once nothing was missing', () => {
    const attempts = new RepublishAttempts(1_000);
    attempts.record('c', 5n, 0);
    attempts.retain([createDifference(range(1n, 5n))]);
    expect(attempts.selectDue(createDifference(range(1n, 5n)), 0, false)).toEqual([]);
    attempts.retain([]);
    expect(attempts.selectDue(createDifference(range(1n, 5n)), 0, false)).toEqual([range(1n, 5n)]);
  });
});
