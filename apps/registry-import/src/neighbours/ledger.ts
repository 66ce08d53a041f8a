import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import { toError, type ReplyOf } from '@saleschannel/grpc';
import { unlessAborted } from '@saleschannel/runtime';

type ApplyResponse = ReplyOf<'ledger.ApplyFacilities'> | ReplyOf<'ledger.ApplyIssuances'>;

/** Result of one record sent to the ledger. */
type ApplyResult = ApplyResponse['results'][number];

/**
 * Returns the ledger's refusal of a record, or undefined if it was applied.
 * @throws Error for an unknown outcome
 */
function findRefusal({ outcome, problem }: ApplyResult): DomainError | undefined {
  switch (outcome) {
    case 'OUTCOME_CREATED':
    case 'OUTCOME_UPDATED':
    case 'OUTCOME_UNCHANGED':
      return undefined;
    case 'OUTCOME_REFUSED':
      if (problem) return toError(problem);
  }
  throw new Error(`The ledger answered a record with ${outcome} and no reason.`);
}

/** Reports whether the single record was created. @throws DomainError if the ledger refused it */
export function isNew({ results }: ApplyResponse): boolean {
  const [result] = results;
  if (!result || results.length !== 1)
    throw new Error(`The ledger answered one record with ${results.length} results.`);
  const refusal = findRefusal(result);
  if (refusal) throw refusal;
  return result.outcome === 'OUTCOME_CREATED';
}

const MAX_ATTEMPTS = 3;
const ATTEMPT_PAUSE_MS = 250;

/** Errors independent of the records: transient, or faults of the installation. */
const unrelatedToRecords: readonly ErrorCode[] = ['unavailable', 'rate-limited', 'unauthenticated', 'forbidden'];

/** How to send records of one kind. */
interface SendOptions<T> {
  /** Natural key of a record in the ledger. */
  keyOf(record: T): string;
  /** Sends records with one call. */
  send(records: T[]): Promise<{ results: ApplyResult[] }>;
  /** Records per call, limited to keep the ledger's transactions short for concurrent trades. */
  readonly recordsPerCall: number;
  /** Concurrent calls. More than one applies records of different keys in any order. */
  readonly maxConcurrentCalls: number;
}

/** Undefined for an applied record. */
type Refusal = DomainError | undefined;

/**
 * Sends records, but never two of one key concurrently: the second must find the first. While the ledger applies one
 * call, it validates the next.
 * @throws DomainError 'unavailable', 'rate-limited', 'unauthenticated' or 'forbidden' if the records must be sent again
 */
export async function sendToLedger<T>(
  records: readonly T[],
  options: SendOptions<T>,
  signal: AbortSignal,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const run of splitByKey(records, options)) refusals.push(...(await sendRun(run, options, signal)));
  return refusals;
}

function splitByKey<T>(records: readonly T[], { keyOf }: Pick<SendOptions<T>, 'keyOf'>): T[][] {
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

/** Sends records of distinct keys in concurrent calls. */
async function sendRun<T>(run: T[], options: SendOptions<T>, signal: AbortSignal): Promise<Refusal[]> {
  const { recordsPerCall, maxConcurrentCalls } = options;
  const calls = Array.from({ length: Math.ceil(run.length / recordsPerCall) }, (_, index) =>
    run.slice(index * recordsPerCall, (index + 1) * recordsPerCall),
  );
  const refusals: Refusal[][] = [];
  const waiting = calls.entries();
  // The first failure aborts the other calls, because all records are sent again.
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const sendNext = async (): Promise<void> => {
    for (const [index, records] of waiting) refusals[index] = await sendCall(records, options, either);
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentCalls }, sendNext));
  } finally {
    failed.abort();
  }
  return refusals.flat();
}

/** Makes one call. If the ledger fails, sends each record alone, so that one cannot block the others. */
async function sendCall<T>(
  records: T[],
  options: Pick<SendOptions<T>, 'send'>,
  signal: AbortSignal,
  attempts = MAX_ATTEMPTS,
): Promise<Refusal[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      // A stopping service does not wait: its successor sends the records again.
      const { results } = await unlessAborted(options.send(records), signal);
      if (results.length === records.length) return results.map(findRefusal);
      throw new Error(`The ledger answered ${records.length} records with ${results.length} results.`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError && unrelatedToRecords.includes(error.code)) throw error;
      const isInternal = !(error instanceof DomainError) || error.code === 'internal';
      if (!isInternal || attempt >= attempts) {
        if (records.length === 1) return [toDomainError(error)];
        break;
      }
      await delay(ATTEMPT_PAUSE_MS * attempt, undefined, { signal });
    }
  }
  const refusals: Refusal[] = [];
  for (const record of records) refusals.push(...(await sendCall([record], options, signal, 1)));
  return refusals;
}

const toDomainError = (error: unknown): DomainError =>
  error instanceof DomainError ? error : new DomainError('internal', 'The record could not be applied.');
