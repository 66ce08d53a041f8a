import { formatCertificateRef, formatSerial } from '@saleschannel/primitives';
import { MAX_NAME_LENGTH } from '@saleschannel/primitives/validation';
import { toDayPeriod, toYearPeriod } from '../file/dates.ts';
import type { Row } from '../file/row.ts';
import { truncate } from '../text.ts';
import { countryCode, countryName } from './countries.ts';
import { createIdempotencyKey } from './ids.ts';
import { NOT_STATED, type PlannedIssuance } from './plan.ts';
import type { Step, StepKind } from './steps.ts';

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
