import type { FaultWording } from '@saleschannel/errors';
import { businessId, fault, id, name, text } from '@saleschannel/primitives/validation';
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
    accountHolderBusinessId: optional(businessId),
    salesChannelId: optional(id),
  })
  .check(({ value, issues }) => {
    const { accountHolderId: holderId, accountHolderBusinessId: named } = value;
    if ((holderId === undefined) !== (named === undefined)) return;
    const detail = 'The account holder is named either by its id or by its business id.';
    const wrong: FaultWording = { code: holderId === undefined ? 'required' : 'exclusive', detail };
    issues.push({ ...fault(wrong, holderId), path: ['accountHolderId'] });
  });

export type Issuance = Omit<z.output<typeof issuanceLine>, 'accountHolderBusinessId'>;
