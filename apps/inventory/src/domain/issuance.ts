import { requestRefused, type DomainError, type FaultWording } from '@saleschannel/errors';
import { parseInstant, rangeVolume, serialFormOf } from '@saleschannel/primitives';
import { fault, faults, id } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { code } from './facility.ts';
import { isIssuanceId } from './selection.ts';

/** Parts of a certificate id are joined with underscores. Only the credit type may hold one. */
const abbreviation = code.regex(/^[^_\s]*$/u, {
  error: 'must be an abbreviation without underscore or space',
  abort: true,
});

/** The public API says volumes as JSON numbers, which must be exact. */
const VOLUME_AT_MOST = BigInt(Number.MAX_SAFE_INTEGER);

const issuanceId = z
  .string()
  .toLowerCase()
  .check(({ value, issues }) => {
    if (!isIssuanceId(value)) issues.push(fault(faults.format('must be a UUID'), value));
  });

/** ISO 8601 in UTC with milliseconds. Read once: an import has four of them on each line. */
const instant = z.string().transform((value, context): string => {
  const read = parseInstant(value);
  if (read) return new Date(read.floorMs).toISOString();
  context.issues.push(fault(faults.dateTime(), value));
  return z.NEVER;
});

const fields = z.object({
  issuanceId,
  standard: abbreviation,
  registry: abbreviation,
  creditType: code,
  creditTypeId: code,
  methodologyCode: code,
  accountHolderId: id,
  /** Present together with the trader: where the issuance is listed at once. */
  salesChannelId: id.optional(),
  traderId: id.optional(),
  vintage: z.int().min(1900).max(2999),
  productionStartDate: instant,
  productionEndDate: instant,
  issuingDate: instant,
  expirationDate: instant.optional(),
  firstSerial: z.string(),
  lastSerial: z.string(),
  /** Only looked up. */
  productionFacilityCode: z.string(),
});

const LISTED_FOR_NOBODY: FaultWording = {
  code: 'trader',
  detail: 'must come together with the trader that the issuance is listed for',
};
const PERIOD_ORDER: FaultWording = { code: 'period-order', detail: 'must not lie before the start of production' };
const TOO_LARGE: FaultWording = {
  code: 'volume',
  detail: `must leave the issuance at most ${VOLUME_AT_MOST} certificates`,
};

/** An issuance as the registry sends it. */
export const issuance = fields.transform((value, { issues }) => {
  const report = (member: keyof typeof value, wording: FaultWording): void => {
    issues.push({ ...fault(wording, value[member]), path: [member] });
  };
  const { firstSerial, lastSerial, ...rest } = value;
  if ((value.salesChannelId === undefined) !== (value.traderId === undefined))
    report('salesChannelId', LISTED_FOR_NOBODY);
  if (value.productionStartDate > value.productionEndDate) report('productionEndDate', PERIOD_ORDER);
  const form = serialFormOf(firstSerial, lastSerial);
  if ('code' in form) {
    report('firstSerial', form);
    return z.NEVER;
  }
  const range = { first: BigInt(firstSerial), last: BigInt(lastSerial) };
  if (rangeVolume(range) > VOLUME_AT_MOST) report('lastSerial', TOO_LARGE);
  return { ...rest, firstSerial: range.first, lastSerial: range.last, serialWidth: form.width };
});

export type Issuance = z.output<typeof issuance>;

/** The refusal of an issuance whose production facility was never applied. It may still come. */
export function unknownFacility(): DomainError {
  const detail = 'There is no production facility with this code.';
  return requestRefused(detail, [{ pointer: '#/productionFacilityCode', code: 'unknown-reference', detail }]);
}

/** The refusal of an issuance that contradicts the one with its id. */
export function contradiction(): DomainError {
  const detail = 'An issuance with this id exists with other content.';
  return requestRefused(detail, [{ pointer: '#/issuanceId', code: 'contradiction', detail }]);
}
