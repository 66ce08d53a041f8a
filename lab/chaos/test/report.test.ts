import { expect, test } from '@jest/globals';
import type { FaultInterval, Verdict } from '../src/contract.ts';
import { listReasons, formatTable, type RunOutcome, judge } from '../src/checks/check.ts';
import { collectCalls } from '../src/checks/findings.ts';
import { measureStops } from '../src/checks/stops.ts';
import { attempt, createCorrectRun, request, noFaults } from './support/correct-run.ts';

/** A request of a kind, sent and answered at these times. */
const answeredAt = (id: number, at: number, answer: number, kind = 'read') => [
  { ...request(id, kind, { method: 'GET' }), at },
  attempt(id, 503, undefined, (at + answer) / 2),
  attempt(id, 200, undefined, answer),
];

test('a stop counts from the beginning of a fault of one replica, and from the end of a fault of all', () => {
  const calls = collectCalls([...answeredAt(1, 0, 10), ...answeredAt(2, 95, 400), ...answeredAt(3, 380, 420)]);
  expect(measureStops(calls, [fault('one', 100, 300)])).toEqual({
    longestStopMs: 305,
    recoveries: [{ fault: fault('one', 100, 300), timeToFirstSuccessMs: 320, longestStopMs: 300, stopped: 'read' }],
  });
  expect(measureStops(calls, [fault('all', 100, 300)])).toEqual({
    longestStopMs: 100,
    recoveries: [{ fault: fault('all', 100, 300), timeToFirstSuccessMs: 120, longestStopMs: 100, stopped: 'read' }],
  });
});

test('an interval without requests is no stop, and one kind does not hide another', () => {
  const quiet = collectCalls([...answeredAt(1, 0, 10), ...answeredAt(2, 1_000, 1_010)]);
  expect(measureStops(quiet, [])).toEqual({ longestStopMs: 10, recoveries: [] });
  const hidden = collectCalls([
    ...answeredAt(1, 0, 500, 'trade'),
    ...[1, 2, 3].flatMap((n) => answeredAt(n + 1, n * 100, n * 100 + 5)),
  ]);
  expect(measureStops(hidden, []).longestStopMs).toBe(500);
});

test('a stop that outlasts the next fault counts for both', () => {
  const calls = collectCalls(answeredAt(1, 100, 900));
  const faults = [fault('one', 100, 200), fault('one', 400, 500)];
  expect(measureStops(calls, faults).recoveries.map(({ longestStopMs }) => longestStopMs)).toEqual([800, 500]);
});

test('a stop that continues into a fault of all replicas belongs to that fault from then on', () => {
  const calls = collectCalls(answeredAt(1, 100, 900));
  const faults = [fault('one', 100, 200), fault('all', 400, 500)];
  expect(measureStops(calls, faults).recoveries.map(({ longestStopMs }) => longestStopMs)).toEqual([300, 400]);
});

test('a transfer is in flight at a kill on its path, from its acceptance until its event', () => {
  const { entries, answers } = createCorrectRun();
  const count = (replica: string, atMs: number): number =>
    judge(entries, answers, { intervals: [], kills: [{ replica, atMs }] }).inFlight;
  const endedMs = Date.parse('2026-01-01T00:00:01.000Z');
  expect([count('tasks-1', 109), count('tasks-1', 110), count('all-in-one-2', 310)]).toEqual([0, 1, 3]);
  expect([count('inventory-2', endedMs - 1), count('inventory-2', endedMs), count('rbac-1', 310)]).toEqual([3, 2, 0]);
  const path = '/Registry/api/transactions/x1/approve';
  entries.push(request(7, 'approve', { path, expected: [200] }), attempt(7, 200));
  expect(count('events-1', 310)).toBe(2);
});

test('failed attempts are counted by kind and reason', () => {
  const { entries, answers } = createCorrectRun();
  entries.push(...answeredAt(7, 700, 790), { ...attempt(7, undefined), reason: 'ECONNRESET' });
  expect(judge(entries, answers, noFaults).errorsByKind).toEqual({ 'read: 503': 1, 'read: ECONNRESET': 1 });
});

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
const fault = (hits: FaultInterval['hits'], fromMs = 0, toMs = 1): FaultInterval => ({
  kind: 'kill',
  hits,
  target: 'tasks-1',
  fromMs,
  toMs,
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
