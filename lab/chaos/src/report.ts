import { countBy } from './checks/findings.ts';
import type { InjectedFaults, Recovery, Verdict } from './contract.ts';

/** All results of a run. */
export interface RunOutcome extends InjectedFaults {
  readonly verdict: Verdict;
  /** Findings of the auditor. */
  readonly audit: readonly string[];
  /** Faults that failed, and processes that exited unexpectedly. */
  readonly failures: readonly string[];
  readonly notes: readonly string[];
}

const LIMITS_MS = { one: 20_000, all: 40_000 } as const;
const FINDINGS_SHOWN = 50;
/** Number of kinds of faults. */
const COUNTS_SHOWN = 30;
const lists = ['lost', 'doubled', 'reordered', 'missed', 'wrong'] as const;

/** Reasons why a run fails, as sentences. */
export function listReasons({ verdict, audit, failures }: RunOutcome): string[] {
  const findings = lists.flatMap((list) => verdict[list].map((finding) => `${list}: ${finding}`));
  const tooLong = verdict.recoveries
    .filter(({ fault, longestStopMs }) => longestStopMs > LIMITS_MS[fault.hits])
    .map(
      ({ fault, longestStopMs, stopped }) =>
        `stop: "${stopped}" took ${seconds(longestStopMs)} with ${fault.kind} on ${fault.target}, and ` +
        `${seconds(LIMITS_MS[fault.hits])} are allowed`,
    );
  return [...findings, ...tooLong, ...audit.map((finding) => `audit: ${finding}`), ...failures];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
const longest = (values: readonly number[]): string => (values.length === 0 ? '-' : seconds(Math.max(...values)));

/** Formats the table that a run prints at its end. */
export function formatTable(outcome: RunOutcome): string {
  const { verdict, intervals, kills, notes } = outcome;
  const of = (hits: 'one' | 'all'): Recovery[] => verdict.recoveries.filter(({ fault }) => fault.hits === hits);
  const stops = (hits: 'one' | 'all'): string =>
    `${longest(of(hits).map(({ longestStopMs }) => longestStopMs))} of ${seconds(LIMITS_MS[hits])}`;
  const reasons = listReasons(outcome);
  const rows: [string, string][] = [
    ['operations', formatCounts(verdict.operations)],
    ['faults', formatCounts(countBy(intervals.map(({ kind }) => kind)))],
    ['replicas killed', formatCounts(countBy(kills.map(({ replica }) => replica)))],
    ['trades in flight when one was killed', String(verdict.inFlight)],
    ...lists.map((list): [string, string] => [list, String(verdict[list].length)]),
    ['audit', outcome.audit.length === 0 ? 'no findings' : `${outcome.audit.length} findings`],
    ['errors', formatCounts(verdict.errorsByKind)],
    ['longest stop, one replica', stops('one')],
    ['longest stop, all', stops('all')],
    ['first success, one replica', longest(of('one').map(({ timeToFirstSuccessMs }) => timeToFirstSuccessMs))],
    ['first success, all', longest(of('all').map(({ timeToFirstSuccessMs }) => timeToFirstSuccessMs))],
    ...notes.map((note): [string, string] => ['note', note]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`);
  const found = reasons.slice(0, FINDINGS_SHOWN).map((reason) => `- ${reason}`);
  return [...lines, reasons.length === 0 ? 'passed' : `failed, ${reasons.length} reasons:`, ...found].join('\n');
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const parts = entries.slice(0, COUNTS_SHOWN).map(([name, count]) => `${name} ${count}`);
  const left = entries.length - parts.length;
  if (left > 0) parts.push(`${left} more kinds`);
  return parts.length === 0 ? '0' : `${total}: ${parts.join(', ')}`;
}
