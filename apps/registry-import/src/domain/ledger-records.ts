import { fault, id, name, text } from '@saleschannel/validation';
import { z } from 'zod';
import { optional } from './optional.ts';

const CODE_LENGTH_AT_MOST = 64;
const METHODOLOGIES_AT_MOST = 100;

/** A code, a date-time or a serial. Its form is for the ledger to check. */
const code = text({ min: 1, max: CODE_LENGTH_AT_MOST });

/** A production facility as a line of an import. */
export const facilityLine = z.strictObject({
  code,
  name,
  country: code,
  methodologyCodes: z.array(code).max(METHODOLOGIES_AT_MOST),
  supplier: name,
  gsrn: optional(code),
  creditingPeriod: optional(z.strictObject({ start: code, end: code })),
});

export type Facility = z.output<typeof facilityLine>;

/**
 * What is wrong with how an issuance names its account holder: by its id or by its business id, but not by both.
 * Undefined when nothing is.
 */
export function wrongHolderName(
  accountHolderId: string | undefined,
  businessId: string | undefined,
): { code: string; detail: string } | undefined {
  if ((accountHolderId === undefined) !== (businessId === undefined)) return undefined;
  const detail = 'The account holder is named either by its id or by its business id.';
  return { code: accountHolderId === undefined ? 'required' : 'exclusive', detail };
}

/** An issuance as a line of an import. */
export const issuanceLine = z
  .strictObject({
    issuanceId: code,
    productionFacilityCode: code,
    standard: code,
    registry: code,
    creditType: code,
    creditTypeId: optional(code),
    methodologyCode: code,
    vintage: z.int().min(1900).max(2999),
    productionStartDate: code,
    productionEndDate: code,
    issuingDate: code,
    expirationDate: optional(code),
    firstSerial: code,
    lastSerial: code,
    accountHolderId: optional(id),
    accountHolderBusinessId: optional(name),
    salesChannelId: optional(id),
  })
  .check(({ value, issues }) => {
    const wrong = wrongHolderName(value.accountHolderId, value.accountHolderBusinessId);
    if (wrong) issues.push({ ...fault(wrong, value.accountHolderId), path: ['accountHolderId'] });
  });

export type Issuance = Omit<z.output<typeof issuanceLine>, 'accountHolderBusinessId'>;
