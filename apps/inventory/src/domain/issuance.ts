import { requestRefused, type DomainError, type FaultWording } from '@saleschannel/errors';
import { parseInstant, countCertificates, deriveSerialForm } from '@saleschannel/primitives';
import { fault, faults, id } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { code } from './facility.ts';
import { isIssuanceId } from './selection.ts';

/** Certificate ids join their parts with underscores, so only the credit type may contain one. */
const abbreviation = code.regex(/^[^_\s]*$/u, {
  error: 'must be an abbreviation without underscore or space',
  abort: true,
});

/** The public API has volumes as JSON numbers, which must be exact. */
const MAX_VOLUME = BigInt(Number.MAX_SAFE_INTEGER);

const issuanceId = z
  .string()
  .toLowerCase()
  .check(({ value, issues }) => {
    if (!isIssuanceId(value)) issues.push(fault(faults.format('must be a UUID'), value));
  });

/** ISO 8601 in UTC with milliseconds. Parsed once, because each line of an import has four of them. */
const instant = z.string().transform((value, context): string => {
  const parsed = parseInstant(value);
  if (parsed) return new Date(parsed.floorMs).toISOString();
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
  /** Lists the issuance at once, in this sales channel. Present together with the trader. */
  salesChannelId: id.optional(),
  traderId: id.optional(),
  vintage: z.int().min(1900).max(2999),
  productionStartDate: instant,
  productionEndDate: instant,
  issuingDate: instant,
  expirationDate: instant.optional(),
  firstSerial: z.string(),
  lastSerial: z.string(),
  /** Any text, because it is only looked up. */
  productionFacilityCode: z.string(),
});

const MISSING_TRADER: FaultWording = {
  code: 'trader',
  detail: 'must come together with the trader that the issuance is listed for',
};
const PERIOD_ORDER: FaultWording = { code: 'period-order', detail: 'must not be before the start of production' };
const TOO_LARGE: FaultWording = {
  code: 'volume',
  detail: `must not give the issuance more than ${MAX_VOLUME} certificates`,
};

/** An issuance as the registry sends it. */
export const issuance = fields.transform((value, { issues }) => {
  const report = (member: keyof typeof value, wording: FaultWording): void => {
    issues.push({ ...fault(wording, value[member]), path: [member] });
  };
  const { firstSerial, lastSerial, ...rest } = value;
  if ((value.salesChannelId === undefined) !== (value.traderId === undefined)) report('salesChannelId', MISSING_TRADER);
  if (value.productionStartDate > value.productionEndDate) report('productionEndDate', PERIOD_ORDER);
  const form = deriveSerialForm(firstSerial, lastSerial);
  if ('code' in form) {
    report('firstSerial', form);
    return z.NEVER;
  }
  const range = { first: BigInt(firstSerial), last: BigInt(lastSerial) };
  if (countCertificates(range) > MAX_VOLUME) report('lastSerial', TOO_LARGE);
  return { ...rest, firstSerial: range.first, lastSerial: range.last, serialWidth: form.width };
});

export type Issuance = z.output<typeof issuance>;

/** Refuses an issuance whose production facility is unknown so far. */
export function refuseUnknownFacility(): DomainError {
  const detail = 'There is no production facility with this code.';
  return requestRefused(detail, [{ pointer: '#/productionFacilityCode', code: 'unknown-reference', detail }]);
}

/** Refuses an issuance that contradicts the stored one with its id. */
export function refuseContradiction(): DomainError {
  const detail = 'An issuance with this id exists with other content.';
  return requestRefused(detail, [{ pointer: '#/issuanceId', code: 'contradiction', detail }]);
}
