import type { InjectedFaults, Journal, PublicInstallation, Verdict } from '../contract.ts';
import { readJournal, type Entry } from '../workload/journal.ts';
import { readAnswers, type Answers } from './answers.ts';
import { collectCalls, countBy, Findings, listKnownAttempts, type Call } from './findings.ts';
import { checkFollowers } from './followers.ts';
import { checkLedger } from './ledger.ts';
import { checkAccess, checkRecords } from './records.ts';
import { checkAnswers, checkDecisions, checkTransfers } from './requests.ts';
import { checkStatements } from './statements.ts';
import { measureStops } from './stops.ts';
import { countInFlight } from './in-flight.ts';

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
  journal: Journal,
  injected: InjectedFaults,
): Promise<Verdict> {
  const entries = readJournal(journal.file);
  return judge(entries, await readAnswers(world, entries), injected);
}
