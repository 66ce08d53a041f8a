import { expect, test } from '@jest/globals';
import type { FaultInterval, Verdict } from '../src/contract.ts';
import { listReasons, formatTable, type RunOutcome } from '../src/checks/check.ts';

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
  inFlight: 0,
};
const clean: RunOutcome = { verdict, intervals: [], kills: [], audit: [], failures: [], notes: [] };
const fault = (hits: FaultInterval['hits']): FaultInterval => ({
  kind: 'kill',
  hits,
  target: 'tasks-1',
  fromMs: 0,
  toMs: 1,
});
const createStop = (hits: FaultInterval['hits'], longestStopMs: number) => ({
  ...clean,
  verdict: {
    ...verdict,
    recoveries: [{ fault: fault(hits), timeToFirstSuccessMs: 0, longestStopMs, stopped: 'trade' }],
  },
});

test('a run without findings passes', () => {
  expect(listReasons(clean)).toEqual([]);
  expect(formatTable(clean)).toMatch(/operations +8: read 5, trade 3\n[^]*\npassed$/);
});

test.each(['lost', 'doubled', 'reordered', 'missed', 'wrong'] as const)(
  'a finding of kind "%s" makes the run fail',
  (list) => {
    const found: RunOutcome = { ...clean, verdict: { ...verdict, [list]: ['trade 7'] } };
    expect(listReasons(found)).toEqual([`${list}: trade 7`]);
    expect(formatTable(found)).toMatch(/failed, 1 reasons:\n- /);
  },
);

test('findings of the audit and faults that could not be injected make the run fail', () => {
  expect(listReasons({ ...clean, audit: ['a bundle'], failures: ['kill on tasks-1: no.'] })).toHaveLength(2);
});

test('a stop may last 20 seconds after a fault of one replica, and 40 after a fault of all', () => {
  expect(listReasons(createStop('one', 20_000))).toEqual([]);
  expect(listReasons(createStop('one', 20_001))).toHaveLength(1);
  expect(listReasons(createStop('all', 40_000))).toEqual([]);
  expect(listReasons(createStop('all', 40_001))).toHaveLength(1);
});
