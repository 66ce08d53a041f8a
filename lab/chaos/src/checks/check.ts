import type { InjectedFaults, PublicInstallation, Verdict, Recovery } from '../contract.ts';
import { readJournal, type Entry } from '../workload/journal.ts';
import { readAnswers, type Answers } from './answers.ts';
import { collectCalls, countBy, Findings, listKnownAttempts, type Call } from './findings.ts';
import { checkFollowers } from './followers.ts';
import { checkLedger } from './ledger.ts';
import { checkAccess, checkRecords, checkStatements } from './records.ts';
import { checkAnswers, checkDecisions, checkTransfers } from './requests.ts';
import { measureStops, countInFlight } from './stops.ts';

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

/** Failed and deferred attempts, by kind of operation and by result. */
const listErrors = (call: Call): string[] => {
  const known = new Set<object>(listKnownAttempts(call));
  return call.attempts
    .filter((attempt) => !known.has(attempt))
    .map(({ status, reason }) => `${call.kind}: ${status ?? reason ?? 'no answer'}`);
};

/** Judges a run by its clients' journal and by what the public APIs return afterwards. */
export function judge(entries: readonly Entry[], answers: Answers, { intervals, kills }: InjectedFaults): Verdict {
  const findings = new Findings();
  const calls = collectCalls(entries);
  checkAnswers(calls, findings);
  checkTransfers(calls, answers, entries, findings);
  checkDecisions(calls, answers, entries, findings);
  checkRecords(calls, answers, findings);
  checkAccess(answers, findings);
  for (const channel of answers.channels) checkFollowers(entries, channel, findings);
  checkLedger(answers, findings);
  checkStatements(answers, findings);
  return {
    operations: countBy(calls.filter(({ outcome }) => outcome !== undefined).map(({ kind }) => kind)),
    ...findings,
    errorsByKind: countBy(calls.flatMap(listErrors)),
    ...measureStops(calls, intervals),
    inFlight: countInFlight(calls, answers, kills),
  };
}

/**
 * Checks a finished run from public answers alone. It reads the journal from its file, so it also works for a kept one.
 */
export async function checkEverything(
  world: PublicInstallation,
  journalFile: string,
  injected: InjectedFaults,
): Promise<Verdict> {
  const entries = readJournal(journalFile);
  return judge(entries, await readAnswers(world, entries), injected);
}
