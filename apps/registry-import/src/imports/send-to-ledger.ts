import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import { refusalOf, type ApplyResult } from '../neighbours/ledger-answers.ts';

const ATTEMPTS_AT_MOST = 3;
const ATTEMPT_PAUSE_MS = 250;

/** Errors that say nothing about the records: they are transient, or somebody must mend the installation. */
const unrelatedToRecords: readonly ErrorCode[] = ['unavailable', 'rate-limited', 'unauthenticated', 'forbidden'];

/** Sends records with one call. */
export type Send<T> = (records: T[]) => Promise<{ results: ApplyResult[] }>;

/** Why the ledger refused a record. Undefined when it took it. */
export type Refusal = DomainError | undefined;

/**
 * Sends records in their order, and never two of one key in one call: the second must find the first.
 * @throws DomainError 'unavailable', 'rate-limited', 'unauthenticated' or 'forbidden': the records must be sent again
 */
export async function sendToLedger<T>(
  records: readonly T[],
  keyOf: (record: T) => string,
  send: Send<T>,
  signal: AbortSignal,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const run of runsOfDistinct(records, keyOf)) refusals.push(...(await sendRun(run, send, signal)));
  return refusals;
}

function runsOfDistinct<T>(records: readonly T[], keyOf: (record: T) => string): T[][] {
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

/** One call. When the ledger fails on it, one call per record, so that one record cannot hold up all others. */
async function sendRun<T>(
  records: T[],
  send: Send<T>,
  signal: AbortSignal,
  attempts = ATTEMPTS_AT_MOST,
): Promise<Refusal[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { results } = await unlessAborted(send(records), signal);
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
  for (const record of records) refusals.push(...(await sendRun([record], send, signal, 1)));
  return refusals;
}

const refusalBy = (error: unknown): DomainError =>
  error instanceof DomainError ? error : new DomainError('internal', 'The record could not be applied.');

/** A service that stops does not wait for answers: what was asked for is asked for again by whoever goes on. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    promise.catch(() => undefined);
  }
}
