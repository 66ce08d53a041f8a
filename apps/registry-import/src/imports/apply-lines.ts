import type { Actor } from '@saleschannel/contracts';
import type { DomainError } from '@saleschannel/errors';
import { unlessAborted } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import {
  failureOf,
  failureOfError,
  type AccountHolderRecord,
  type FacilityRecord,
  type ImportRecord,
  type IssuanceRecord,
} from '../domain/import-record.ts';
import { CONTRADICTS_STORED } from '../domain/refusals.ts';
import { ensureAccountHolders } from '../operations/ensure-account-holders.ts';
import { prepareIssuances } from '../operations/prepare-issuances.ts';
import type { LineError } from '../store/imports.ts';
import { holdsLease, type Lease, type LineOutcomes, type WaitingLine } from '../store/import-runs.ts';
import { LeaseLost } from './lease-lost.ts';
import type { FileLine } from './read-file.ts';
import { sendToLedger } from './send-to-ledger.ts';

const CALL_TIMEOUT_MS = 15_000;
/** The ledger takes each in a transaction of its own, in their order: a later line replaces an earlier one. */
const FACILITY_CALLS = { perCall: 200, callsAtOnce: 1 };
/** One transaction of the ledger for each call. The checks of one overlap with the writing of another. */
const ISSUANCE_CALLS = { perCall: 500, callsAtOnce: 2 };

interface RecordLine<Record extends ImportRecord> {
  readonly line: number;
  readonly record: Record;
}

/** Under what lease lines are applied, and on whose behalf. */
interface ImportWork {
  readonly lease: Lease;
  readonly holder: string;
  readonly actor: Actor;
}

/** Collects what became of the lines of a batch. */
interface Outcomes extends LineOutcomes {
  readonly applied: number[];
  readonly errors: LineError[];
  readonly waiting: WaitingLine[];
}

/**
 * Applies lines, account holders first, then facilities, then issuances, so that one may refer to another of the same
 * batch. All of it can be done again without a second effect.
 * @throws LeaseLost when account holders would be stored under a lease that is over
 * @throws DomainError when nothing is known of the batch and it must be applied again, as when a service cannot be
 * reached
 */
export async function applyLines(
  context: Context,
  lines: readonly FileLine[],
  work: ImportWork,
  signal: AbortSignal,
): Promise<LineOutcomes> {
  const outcomes: Outcomes = { applied: [], errors: [], waiting: [] };
  const holders: RecordLine<AccountHolderRecord>[] = [];
  const facilities: RecordLine<FacilityRecord>[] = [];
  const issuances: RecordLine<IssuanceRecord>[] = [];
  for (const { line, read } of lines) {
    if (!('type' in read)) outcomes.errors.push({ line, ...read });
    else if (read.type === 'account-holder') holders.push({ line, record: read });
    else if (read.type === 'production-facility') facilities.push({ line, record: read });
    else issuances.push({ line, record: read });
  }
  await applyHolders(context, holders, work, outcomes);
  await applyFacilities(context, facilities, work, outcomes, signal);
  await applyIssuances(context, issuances, work, outcomes, signal);
  return outcomes;
}

async function applyHolders(
  { database }: Context,
  lines: readonly RecordLine<AccountHolderRecord>[],
  { lease, actor }: ImportWork,
  outcomes: Outcomes,
): Promise<void> {
  if (lines.length === 0) return;
  const contents = lines.map(({ record }) => record.holder);
  const ensured = await database.transaction(async (em) => {
    if (!(await holdsLease(em, lease))) throw new LeaseLost('the lease is over');
    return ensureAccountHolders(em, contents, actor);
  });
  const { code, detail } = CONTRADICTS_STORED;
  lines.forEach(({ line }, index) => {
    if (ensured[index]?.agrees) outcomes.applied.push(line);
    else outcomes.errors.push({ line, code, detail });
  });
}

async function applyFacilities(
  { ledger }: Context,
  lines: readonly RecordLine<FacilityRecord>[],
  { lease: { number: fence }, holder: fenceScope, actor }: ImportWork,
  outcomes: Outcomes,
  signal: AbortSignal,
): Promise<void> {
  const facilities = lines.map(({ record }) => record.facility);
  const refusals = await sendToLedger(
    facilities,
    {
      ...FACILITY_CALLS,
      // Codes name one facility in upper and lower case.
      keyOf: ({ code }) => code.toLowerCase(),
      send: (some) =>
        ledger.ApplyFacilities({ facilities: some, actor, fence, fenceScope }, { timeoutMs: CALL_TIMEOUT_MS }),
    },
    signal,
  );
  lines.forEach(({ line }, index) => {
    const refusal = refusals[index];
    if (refusal) outcomes.errors.push({ line, ...failureOfError(refusal) });
    else outcomes.applied.push(line);
  });
}

async function applyIssuances(
  context: Context,
  lines: readonly RecordLine<IssuanceRecord>[],
  { lease: { number: fence }, holder: fenceScope, actor }: ImportWork,
  outcomes: Outcomes,
  signal: AbortSignal,
): Promise<void> {
  const orders = lines.map(({ line, record }) => ({ ...record, line, record }));
  const options = { timeoutMs: CALL_TIMEOUT_MS };
  const prepared = await unlessAborted(prepareIssuances(context, orders, options), signal);
  for (const item of prepared) {
    if ('issuance' in item) continue;
    const { line, record } = item.order;
    const failure = failureOf([item.fault]);
    if (item.mayCome) outcomes.waiting.push({ line, record, ...failure });
    else outcomes.errors.push({ line, ...failure });
  }
  const ready = prepared.filter((item) => 'issuance' in item);
  const refusals = await sendToLedger(
    ready.map(({ issuance }) => issuance),
    {
      ...ISSUANCE_CALLS,
      keyOf: ({ issuanceId }) => issuanceId,
      send: (issuances) => context.ledger.ApplyIssuances({ issuances, actor, fence, fenceScope }, options),
    },
    signal,
  );
  ready.forEach(({ order: { line, record } }, index) => {
    const refusal = refusals[index];
    if (!refusal) outcomes.applied.push(line);
    else if (isOfUnknownFacility(refusal)) outcomes.waiting.push({ line, record, ...failureOfError(refusal) });
    else outcomes.errors.push({ line, ...failureOfError(refusal) });
  });
}

const isOfUnknownFacility = ({ code, violations }: DomainError): boolean =>
  code === 'request-refused' && violations.some(({ pointer }) => pointer === '#/productionFacilityCode');
