import type { Actor } from '@saleschannel/contracts';
import type { DomainError } from '@saleschannel/errors';
import { unlessAborted } from '@saleschannel/runtime';
import type { Context } from '../context.ts';
import {
  toFailure,
  toFailureOfError,
  type AccountHolderRecord,
  type FacilityRecord,
  type ImportRecord,
  type IssuanceRecord,
} from '../domain/records.ts';
import { CONTRADICTS_STORED } from '../domain/refusals.ts';
import { sendToLedger } from '../neighbours/ledger.ts';
import { ensureAccountHolders } from '../operations/account-holders.ts';
import { prepareIssuances } from '../operations/prepare-issuances.ts';
import { holdsLease, type Lease, type LineOutcomes, type WaitingLine } from '../store/import-runs.ts';
import type { LineError } from '../store/imports.ts';
import type { FileLine } from './run-import.ts';

/** Another replica works on the import now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

const CALL_TIMEOUT_MS = 15_000;
/** The ledger applies facilities one by one, in order: a later line replaces an earlier one. */
const FACILITY_CALLS = { recordsPerCall: 200, maxConcurrentCalls: 1 };
/** One transaction of the ledger per call. Validation of one overlaps with writing of another. */
const ISSUANCE_CALLS = { recordsPerCall: 500, maxConcurrentCalls: 2 };

interface RecordLine<Record extends ImportRecord> {
  readonly line: number;
  readonly record: Record;
}

/** Lease and actor of applied lines. */
interface ImportWork {
  readonly lease: Lease;
  readonly holder: string;
  readonly actor: Actor;
}

interface Outcomes extends LineOutcomes {
  readonly applied: number[];
  readonly errors: LineError[];
  readonly waiting: WaitingLine[];
}

/**
 * Applies account holders first, then facilities, then issuances, so that lines may refer to others of their batch.
 * Idempotent.
 * @throws LeaseLost before storing account holders under an ended lease
 * @throws DomainError if the result is unknown and the batch must be applied again, for example without a service
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
    if (!(await holdsLease(em, lease))) throw new LeaseLost('The lease has ended.');
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
      // Codes ignore case.
      keyOf: ({ code }) => code.toLowerCase(),
      send: (some) =>
        ledger.ApplyFacilities({ facilities: some, actor, fence, fenceScope }, { timeoutMs: CALL_TIMEOUT_MS }),
    },
    signal,
  );
  lines.forEach(({ line }, index) => {
    const refusal = refusals[index];
    if (refusal) outcomes.errors.push({ line, ...toFailureOfError(refusal) });
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
    const failure = toFailure([item.fault]);
    if (item.isRetryable) outcomes.waiting.push({ line, record, ...failure });
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
    else if (isUnknownFacility(refusal)) outcomes.waiting.push({ line, record, ...toFailureOfError(refusal) });
    else outcomes.errors.push({ line, ...toFailureOfError(refusal) });
  });
}

const isUnknownFacility = ({ code, violations }: DomainError): boolean =>
  code === 'request-refused' && violations.some(({ pointer }) => pointer === '#/productionFacilityCode');
