import { expect, test } from '@jest/globals';
import type { FaultInterval, Verdict } from '../src/contract.ts';
import { reasonsOf, tableOf, type Outcome } from '../src/report.ts';

const verdict: Verdict = {
  operations: { trade: 3, read: 5 },
  lost: [],
  doubled: [],
  reordered: [],
  missed: [],
  wrong: [],
  errorsByKind: { 'trade: 503': 2 },
  longestStopMs: 0,
  recoveries: [],
  underWay: 0,
};
const clean: Outcome = { verdict, intervals: [], kills: [], audit: [], failures: [], notes: [] };
const fault = (hits: FaultInterval['hits']): FaultInterval => ({
  kind: 'kill',
  hits,
  target: 'tasks-1',
  fromMs: 0,
  toMs: 1,
});
const stopOf = (hits: FaultInterval['hits'], longestStopMs: number) => ({
  ...clean,
  verdict: {
    ...verdict,
    recoveries: [{ fault: fault(hits), timeToFirstSuccessMs: 0, longestStopMs, stopped: 'trade' }],
  },
});

test('a run in which nothing was found has passed', () => {
  expect(reasonsOf(clean)).toEqual([]);
  expect(tableOf(clean)).toMatch(/operations +8: read 5, trade 3\n[^]*\npassed$/);
});

test.each(['lost', 'doubled', 'reordered', 'missed', 'wrong'] as const)('one that is %s makes it fail', (list) => {
  const found: Outcome = { ...clean, verdict: { ...verdict, [list]: ['trade 7'] } };
  expect(reasonsOf(found)).toEqual([`${list}: trade 7`]);
  expect(tableOf(found)).toMatch(/failed, 1 reasons:\n- /);
});

test('so do findings of the audit, and faults that could not be injected', () => {
  expect(reasonsOf({ ...clean, audit: ['a bundle'], failures: ['kill on tasks-1: no.'] })).toHaveLength(2);
});

test('a stop may last 20 seconds where one replica is hit, and 40 where all are', () => {
  expect(reasonsOf(stopOf('one', 20_000))).toEqual([]);
  expect(reasonsOf(stopOf('one', 20_001))).toHaveLength(1);
  expect(reasonsOf(stopOf('all', 40_000))).toEqual([]);
  expect(reasonsOf(stopOf('all', 40_001))).toHaveLength(1);
});
