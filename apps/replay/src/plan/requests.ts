import { wholeDay, wholeYear } from '../file/dates.ts';
import type { Row } from '../file/row.ts';
import { cut } from '../text.ts';
import { countryCode, countryName } from './countries.ts';
import { idempotencyKeyOf } from './ids.ts';
import { NAME_LENGTH_AT_MOST, NOT_STATED, type PlannedIssuance } from './plan.ts';
import type { Step, StepKind } from './steps.ts';

export const NOT_DISCLOSED = 'Not disclosed';
const PURPOSE_LENGTH_AT_MOST = 1_000;

/** Last part of the path that takes each kind of step. */
export const pathOf: Readonly<Record<StepKind, string>> = { trade: 'trade', retirement: 'retire', offramp: 'offramp' };

export interface StepRequest {
  readonly path: string;
  readonly idempotencyKey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Owner of the issuances, and who takes what stands in the way of a selection. */
export interface Parties {
  readonly sellerId: string;
  readonly buyerId: string;
}

function retirementOf(row: Row): Record<string, unknown> {
  const code = countryCode(row.country);
  return {
    beneficiaryName: cut(row.beneficiary || NOT_DISCLOSED, NAME_LENGTH_AT_MOST),
    beneficiaryLocation: cut(countryName(code) ?? (row.country || NOT_DISCLOSED), NAME_LENGTH_AT_MOST),
    consumptionCountryCode: code,
    consumptionPeriod: row.day ? wholeDay(row.day) : wholeYear(row.vintage),
    retirementPurpose: cut(row.purpose || NOT_STATED, PURPOSE_LENGTH_AT_MOST),
    currency: null,
  };
}

/** The request that carries out a step: the same, with the same key, in every run over the same file. */
export function requestOf(
  { issuanceId, batch, serial }: PlannedIssuance,
  step: Step,
  { sellerId, buyerId }: Parties,
): StepRequest {
  const start = serial(step.first);
  const end = serial(step.last);
  const asset = { start: `${issuanceId}_${start}`, end: `${issuanceId}_${end}` };
  // Nothing is known about how these certificates left their owner, so they go without a price.
  const trade = { buyerId, currency: 'EUR', assets: [{ ...asset, unitPrice: 0 }] };
  return {
    path: `/saleschannel-services/v1/traders/${encodeURIComponent(sellerId)}/inventory/${pathOf[step.kind]}`,
    idempotencyKey: idempotencyKeyOf(batch.registry, batch.batch, start, end, step.kind),
    body:
      step.kind === 'trade'
        ? trade
        : { ...(step.kind === 'retirement' ? retirementOf(step.row) : {}), assets: [asset] },
  };
}
