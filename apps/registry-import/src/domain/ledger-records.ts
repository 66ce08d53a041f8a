import type { FaultWording } from '@saleschannel/errors';
import { businessId, fault, id, name, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const MAX_CODE_LENGTH = 64;
const MAX_METHODOLOGIES = 100;

/** Null means the same as a missing optional member. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** A code, a date-time or a serial, whose form the ledger checks. */
const code = text({ min: 1, max: MAX_CODE_LENGTH });

/** A production facility as a line of an import. */
export const facilityLine = z.strictObject({
  code,
  name,
  country: code,
  methodologyCodes: z.array(code).max(MAX_METHODOLOGIES),
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
    const detail = 'Name the account holder either by its id or by its business id.';
    const wording: FaultWording = { code: holderId === undefined ? 'required' : 'exclusive', detail };
    issues.push({ ...fault(wording, holderId), path: ['accountHolderId'] });
  });

export type Issuance = Omit<z.output<typeof issuanceLine>, 'accountHolderBusinessId'>;

/**
 * Derives the credit type id from the credit type if the registry sends none: upper case, `+` as `PLUS`, and one
 * underscore for other characters between letters and digits. `CORC100+` becomes `CORC100_PLUS`. Empty if nothing is
 * left. The rule must not change, because an issuance that is sent again must get the same id.
 */
export const defaultCreditTypeId = (creditType: string): string =>
  creditType
    .replaceAll('+', ' PLUS ')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toUpperCase();
