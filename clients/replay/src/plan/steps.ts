import { createHash } from 'node:crypto';
import { formatCertificateRef, formatSerial, type SerialRange } from '@saleschannel/primitives';
import { MAX_NAME_LENGTH } from '@saleschannel/primitives/validation';
import type { Batch } from '../file/batches.ts';
import { compareByFirst } from '../file/ranges.ts';
import { toDayPeriod, toYearPeriod, type Kind, type Row } from '../file/row.ts';
import { truncate } from '../text.ts';
import { countryCode, countryName } from './countries.ts';

/** Default for required texts missing from the file. */
export const NOT_STATED = 'Not stated';

export const stepKinds = ['trade', 'retirement', 'offramp'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One selection of an issuance. */
export interface Step extends SerialRange {
  readonly kind: StepKind;
  /** Row that requires the step. A trade makes a range of this row selectable. */
  readonly row: Row;
}

export interface PlannedIssuance {
  readonly issuanceId: string;
  readonly batch: Batch;
  /** In order of execution. */
  readonly steps: readonly Step[];
}

/** Step for each kind of row. Issuance rows need only the import. */
const stepKindByRowKind: Readonly<Record<Kind, StepKind | undefined>> = {
  issuance: undefined,
  retirement: 'retirement',
  cancellation: 'offramp',
};

/**
 * Steps for the certificates of an issuance, in ascending order. The ledger accepts selections only from the start of a
 * bundle, so certificates before a range are traded away first: gaps, or certificates that stayed in the registry.
 * Certificates after the last range stay.
 */
export function planSteps({ rows, range }: Pick<Batch, 'rows' | 'range'>): Step[] {
  const required = rows.flatMap((row): Step[] => {
    const kind = stepKindByRowKind[row.kind];
    return kind ? row.ranges.map(({ first, last }) => ({ kind, first, last, row })) : [];
  });
  const steps: Step[] = [];
  let next = range.first;
  for (const step of required.toSorted(compareByFirst)) {
    if (next < step.first) steps.push({ kind: 'trade', first: next, last: step.first - 1n, row: step.row });
    steps.push(step);
    next = step.last + 1n;
  }
  return steps;
}

const NOT_DISCLOSED = 'Not disclosed';
const PURPOSE_LENGTH_AT_MOST = 1_000;

/** Last path segment of each kind of step. */
const pathEnds: Readonly<Record<StepKind, string>> = { trade: 'trade', retirement: 'retire', offramp: 'offramp' };

export interface StepRequest {
  readonly path: string;
  readonly idempotencyKey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Owner of the issuances, and buyer of certificates before a selection. */
export interface Parties {
  readonly sellerId: string;
  readonly buyerId: string;
}

/** Request of a step. Deterministic, including its key. */
export function buildRequest(
  { issuanceId, batch }: PlannedIssuance,
  step: Step,
  { sellerId, buyerId }: Parties,
): StepRequest {
  const start = formatSerial(step.first, batch.form);
  const end = formatSerial(step.last, batch.form);
  const selection = { start: formatCertificateRef(issuanceId, start), end: formatCertificateRef(issuanceId, end) };
  return {
    path: `/saleschannel-services/v1/traders/${encodeURIComponent(sellerId)}/inventory/${pathEnds[step.kind]}`,
    idempotencyKey: createIdempotencyKey(batch.registry, batch.batch, start, end, step.kind),
    body: buildBody(step, selection, buyerId),
  };
}

function buildBody(
  { kind, row }: Step,
  selection: { start: string; end: string },
  buyerId: string,
): StepRequest['body'] {
  switch (kind) {
    case 'trade':
      // The file does not state how these certificates left their owner, so the price is 0.
      return { buyerId, currency: 'EUR', assets: [{ ...selection, unitPrice: 0 }] };
    case 'retirement':
      return { ...toRetirement(row), assets: [selection] };
    case 'offramp':
      return { assets: [selection] };
  }
}

function toRetirement(row: Row): StepRequest['body'] {
  const code = countryCode(row.country);
  return {
    beneficiaryName: truncate(row.beneficiary ?? NOT_DISCLOSED, MAX_NAME_LENGTH),
    beneficiaryLocation: truncate(countryName(code) ?? row.country ?? NOT_DISCLOSED, MAX_NAME_LENGTH),
    consumptionCountryCode: code,
    consumptionPeriod: row.day ? toDayPeriod(row.day) : toYearPeriod(row.vintage),
    retirementPurpose: truncate(row.purpose ?? NOT_STATED, PURPOSE_LENGTH_AT_MOST),
    currency: null,
  };
}

/** Idempotency key of a step: 43 letters, digits, underscores and hyphens. Repeated runs send the same key. */
export const createIdempotencyKey = (
  ...parts: readonly [registry: string, batch: string, start: string, end: string, kind: string]
): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
