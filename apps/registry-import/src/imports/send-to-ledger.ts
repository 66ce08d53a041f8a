import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import { unlessAborted } from '@saleschannel/runtime';
import { refusalOf, type ApplyResult } from '../neighbours/ledger-answers.ts';

const ATTEMPTS_AT_MOST = 3;
const ATTEMPT_PAUSE_MS = 250;

/** Errors that say nothing about the records: they are transient, or somebody must mend the installation. */
const unrelatedToRecords: readonly ErrorCode[] = ['unavailable', 'rate-limited', 'unauthenticated', 'forbidden'];

/** How records get to the ledger. */
export interface Sending<T> {
  /** What the ledger knows a record by. */
  keyOf(record: T): string;
  /** Sends records with one call. */
  send(records: T[]): Promise<{ results: ApplyResult[] }>;
  /** Records of one call: what is long to the ledger, and to whom trades there meanwhile, is not one transaction. */
  readonly perCall: number;
  /** How many calls may be under way at once, where records of different keys may be applied in any order. */
  readonly callsAtOnce: number;
}

/** Why the ledger refused a record. Undefined when it took it. */
export type Refusal = DomainError | undefined;

/**
 * Sends records, and never two of one key at the same time: the second must find the first. While the ledger carries
 * out one call, the next one is on its way to it and checked there.
 * @throws DomainError 'unavailable', 'rate-limited', 'unauthenticated' or 'forbidden': the records must be sent again
 */
export async function sendToLedger<T>(
  records: readonly T[],
  sending: Sending<T>,
  signal: AbortSignal,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const run of runsOfDistinct(records, sending)) refusals.push(...(await sendRun(run, sending, signal)));
  return refusals;
}

function runsOfDistinct<T>(records: readonly T[], { keyOf }: Pick<Sending<T>, 'keyOf'>): T[][] {
  const runs: T[][] = [];
  let run = new Map<string, T>();
  for (const record of records) {
    const key = keyOf(record);
    if (run.has(key)) {
      runs.push([...run.values()]);
      run = new Map();
    }
    run.set(key, record);
  }
  return run.size > 0 ? [...runs, [...run.values()]] : runs;
}

/** Sends records of different keys, with some calls at once. */
async function sendRun<T>(run: T[], sending: Sending<T>, signal: AbortSignal): Promise<Refusal[]> {
  const { perCall, callsAtOnce } = sending;
  const calls = Array.from({ length: Math.ceil(run.length / perCall) }, (_, index) =>
    run.slice(index * perCall, (index + 1) * perCall),
  );
  const refusals: Refusal[][] = [];
  const waiting = calls.entries();
  // All take from the same iterator. The first failure ends the others: what was asked for is asked for again.
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const sendNext = async (): Promise<void> => {
    for (const [place, records] of waiting) refusals[place] = await sendCall(records, sending, either);
  };
  try {
    await Promise.all(Array.from({ length: callsAtOnce }, sendNext));
  } finally {
    failed.abort();
  }
  return refusals.flat();
}

/** One call. When the ledger fails on it, one call per record, so that one record cannot hold up all others. */
async function sendCall<T>(
  records: T[],
  sending: Pick<Sending<T>, 'send'>,
  signal: AbortSignal,
  attempts = ATTEMPTS_AT_MOST,
): Promise<Refusal[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      // A service that stops does not wait for answers: its successor asks for the same again.
      const { results } = await unlessAborted(sending.send(records), signal);
      if (results.length === records.length) return results.map(refusalOf);
      throw new Error(`the ledger answered ${records.length} records with ${results.length} results`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError && unrelatedToRecords.includes(error.code)) throw error;
      const isInternal = !(error instanceof DomainError) || error.code === 'internal';
      if (!isInternal || attempt >= attempts) {
        if (records.length === 1) return [refusalBy(error)];
        break;
      }
      await delay(ATTEMPT_PAUSE_MS * attempt, undefined, { signal });
    }
  }
  const refusals: Refusal[] = [];
  for (const record of records) refusals.push(...(await sendCall([record], sending, signal, 1)));
  return refusals;
}

const refusalBy = (error: unknown): DomainError =>
  error instanceof DomainError ? error : new DomainError('internal', 'The record could not be applied.');
