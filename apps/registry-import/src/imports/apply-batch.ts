import { setTimeout as sleep } from 'node:timers/promises';
import type { ApplyResponse__Output } from '@saleschannel/contracts/gen/inventory/v1/ApplyResponse';
import type { ApplyResult__Output } from '@saleschannel/contracts/gen/inventory/v1/ApplyResult';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import type { Context } from '../context.ts';
import { CONTRADICTION } from '../domain/account-holder.ts';
import { failureOf, failureOfError, type ImportRecord, type LineFailure } from '../domain/import-record.ts';
import { refusalOf } from '../domain/ledger-verdict.ts';
import { ensureAccountHolders } from '../operations/ensure-account-holders.ts';
import { prepareIssuances } from '../operations/prepare-issuances.ts';

/** What became of a line. `waiting`: it names a record that may still come. */
export type Outcome =
  { readonly kind: 'applied' } | { readonly kind: 'failed' | 'waiting'; readonly failure: LineFailure };

const CALL_TIMEOUT_MS = 15_000;
const ATTEMPTS_AT_MOST = 3;
const ATTEMPT_PAUSE_MS = 250;

/** Errors that say nothing of the records: they pass, or somebody must mend the installation. */
const passing: readonly ErrorCode[] = ['unavailable', 'rate-limited', 'unauthenticated', 'forbidden'];

type OfType<T extends ImportRecord['type']> = Extract<ImportRecord, { type: T }>;
const applied: Outcome = { kind: 'applied' };
const failed = (failure: LineFailure): Outcome => ({ kind: 'failed', failure });

/**
 * Applies records, account holders first, then facilities, then issuances, so that one may refer to another of the same batch. All of it can be done again
 * without a second effect.
 * @throws DomainError one of {@link passing}: nothing is known of the batch, and it must be applied again
 */
export async function applyBatch(
  context: Context,
  records: readonly ImportRecord[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const places = Map.groupBy(records.keys(), (index) => (records[index] as ImportRecord).type);
  const apply = async <T extends ImportRecord['type']>(
    type: T,
    work: (records: OfType<T>[]) => Promise<Outcome[]>,
  ): Promise<void> => {
    const indexes = places.get(type) ?? [];
    if (indexes.length === 0) return;
    signal.throwIfAborted();
    const done = await work(indexes.map((index) => records[index] as OfType<T>));
    indexes.forEach((index, at) => (outcomes[index] = done[at] as Outcome));
  };
  await apply('account-holder', (holders) => applyHolders(context, holders));
  await apply('production-facility', (facilities) => applyFacilities(context, facilities, signal));
  await apply('issuance', (issuances) => applyIssuances(context, issuances, signal));
  return outcomes;
}

async function applyHolders({ database }: Context, records: OfType<'account-holder'>[]): Promise<Outcome[]> {
  const contents = records.map((record) => record.holder);
  const ensured = await database.transaction((em) => ensureAccountHolders(em, contents));
  return ensured.map(({ agrees }) => (agrees ? applied : failed(CONTRADICTION)));
}

async function applyFacilities(
  { ledger }: Context,
  records: OfType<'production-facility'>[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const facilities = records.map((record) => record.facility);
  const send = (some: typeof facilities) =>
    ledger.ApplyFacilities({ facilities: some }, { timeoutMs: CALL_TIMEOUT_MS });
  const results = await applyInRuns(facilities, (facility) => facility.code, send, signal);
  return results.map((result) => {
    const refusal = refusalOf(result);
    return refusal ? failed(failureOfError(refusal)) : applied;
  });
}

async function applyIssuances(
  context: Context,
  records: OfType<'issuance'>[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const orders = records.map(({ issuance, accountHolderBusinessId }) => ({ issuance, accountHolderBusinessId }));
  const prepared = await unlessAborted(prepareIssuances(context, orders, { timeoutMs: CALL_TIMEOUT_MS }), signal);
  const ready = prepared.flatMap((item) => ('issuance' in item ? [item.issuance] : []));
  const send = (issuances: typeof ready) =>
    context.ledger.ApplyIssuances({ issuances }, { timeoutMs: CALL_TIMEOUT_MS });
  const results = (await applyInRuns(ready, (issuance) => issuance.issuanceId, send, signal)).values();
  return prepared.map((item) => {
    if ('fault' in item) return { kind: item.mayCome ? 'waiting' : 'failed', failure: failureOf([item.fault]) };
    const refusal = refusalOf(results.next().value as ApplyResult__Output);
    if (!refusal) return applied;
    return { kind: isOfUnknownFacility(refusal) ? 'waiting' : 'failed', failure: failureOfError(refusal) };
  });
}

const isOfUnknownFacility = (refusal: DomainError): boolean =>
  refusal.code === 'request-refused' &&
  refusal.violations.some((violation) => violation.pointer === '#/productionFacilityCode');

type Send<T> = (items: T[]) => Promise<ApplyResponse__Output>;

/** In the order of the items, and never two of one key in one call: the second must find the first. */
async function applyInRuns<T>(
  items: readonly T[],
  keyOf: (item: T) => unknown,
  send: Send<T>,
  signal: AbortSignal,
): Promise<ApplyResult__Output[]> {
  const results: ApplyResult__Output[] = [];
  let run: T[] = [];
  const keys = new Set<unknown>();
  const flush = async (): Promise<void> => {
    if (run.length > 0) results.push(...(await applyRun(run, send, signal)));
    run = [];
    keys.clear();
  };
  for (const item of items) {
    const key = keyOf(item);
    if (keys.has(key)) await flush();
    keys.add(key);
    run.push(item);
  }
  await flush();
  return results;
}

/** One call; when the ledger chokes on it, one call per item, so that one record cannot hold up all others. */
async function applyRun<T>(
  items: T[],
  send: Send<T>,
  signal: AbortSignal,
  attempts = ATTEMPTS_AT_MOST,
): Promise<ApplyResult__Output[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { results } = await unlessAborted(send(items), signal);
      if (results.length !== items.length)
        throw new Error(`the ledger answered ${items.length} records with ${results.length} results`);
      return results;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError && passing.includes(error.code)) throw error;
      const isInternal = !(error instanceof DomainError) || error.code === 'internal';
      if (!isInternal || attempt >= attempts) {
        if (items.length === 1) return [refusedBy(error)];
        break;
      }
      await sleep(ATTEMPT_PAUSE_MS * attempt, undefined, { signal });
    }
  }
  const results: ApplyResult__Output[] = [];
  for (const item of items) results.push(...(await applyRun([item], send, signal, 1)));
  return results;
}

function refusedBy(error: unknown): ApplyResult__Output {
  const known = error instanceof DomainError ? error : new DomainError('internal', 'The record could not be applied.');
  return {
    outcome: 'REFUSED',
    code: known.code,
    detail: known.message,
    violationsJson: JSON.stringify(known.violations),
  };
}

/** A service that stops does not wait for answers: what was asked for is asked for again by whoever goes on. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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
