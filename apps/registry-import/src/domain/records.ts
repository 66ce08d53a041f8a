import type { DomainError, ErrorCode, FaultCode, Violation, FaultWording } from '@saleschannel/errors';
import { faults, toViolations, businessId, fault, id, name, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { accountHolderLine, type AccountHolderContent } from './account-holder.ts';

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
const facilityLine = z.strictObject({
  code,
  name,
  country: code,
  methodologyCodes: z.array(code).max(MAX_METHODOLOGIES),
  supplier: name,
  gsrn: optional(code),
  creditingPeriod: optional(z.strictObject({ start: code, end: code })),
});

type Facility = z.output<typeof facilityLine>;

/** An issuance as a line of an import. */
const issuanceLine = z
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

export const recordTypes = ['account-holder', 'production-facility', 'issuance'] as const;
export type RecordType = (typeof recordTypes)[number];

export interface AccountHolderRecord {
  readonly type: 'account-holder';
  readonly holder: AccountHolderContent;
}

export interface FacilityRecord {
  readonly type: 'production-facility';
  readonly facility: Facility;
}

export interface IssuanceRecord {
  readonly type: 'issuance';
  readonly issuance: Issuance;
  /** Names the account holder if the issuance has no id. */
  readonly accountHolderBusinessId?: string | undefined;
}

/** A well-formed record of an import. The ledger validates facilities and issuances further. */
export type ImportRecord = AccountHolderRecord | FacilityRecord | IssuanceRecord;

/** Reason why a line was not applied. */
export interface LineFailure {
  readonly code: FaultCode | ErrorCode;
  readonly detail: string;
}

const MAX_SHOWN_FAULTS = 5;
const MAX_DETAIL_LENGTH = 1_000;

/** Members of a record, without its type. */
export const recordMembers = {
  'account-holder': accountHolderLine,
  'production-facility': facilityLine,
  issuance: issuanceLine,
} satisfies Record<RecordType, z.ZodObject>;

const recordSchemas: Readonly<Record<RecordType, z.ZodType<ImportRecord>>> = {
  'account-holder': accountHolderLine
    .safeExtend({ type: z.literal('account-holder') })
    .transform(({ type, ...holder }) => ({ type, holder })),
  'production-facility': facilityLine
    .safeExtend({ type: z.literal('production-facility') })
    .transform(({ type, ...facility }) => ({ type, facility })),
  issuance: issuanceLine
    .safeExtend({ type: z.literal('issuance') })
    .transform(({ type, accountHolderBusinessId, ...issuance }) => ({ type, issuance, accountHolderBusinessId })),
};

const typed = z.object({ type: z.enum(recordTypes) });

/** Validates the form of a record with its type, and parses it. */
export function readRecord(value: unknown): ImportRecord | LineFailure {
  const found = typed.safeParse(value, { reportInput: true });
  if (!found.success) return toFailure(toViolations(found.error));
  const read = recordSchemas[found.data.type].safeParse(value, { reportInput: true });
  return read.success ? read.data : toFailure(unknownFirst(toViolations(read.error)));
}

const isUnknown = ({ code }: Violation): boolean => code === faults.unknownMember().code;

/**
 * Puts unknown members first, because the first fault determines the code of the line, and an unknown member is often a
 * misspelled required one.
 */
const unknownFirst = (violations: readonly Violation[]): Violation[] =>
  violations.toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)));

/**
 * Converts violations to the failure of a line. Members have the form of CSV headers: `address.city: is required`.
 */
export function toFailure(
  violations: readonly Violation[],
  otherwise: LineFailure = { code: 'invalid', detail: 'The record is not valid.' },
): LineFailure {
  const [first] = violations;
  if (!first) return otherwise;
  const texts = violations.slice(0, MAX_SHOWN_FAULTS).map(({ pointer, detail }) => {
    const member = pointer && toMemberName(pointer);
    return member ? `${member}: ${detail}` : detail;
  });
  return { code: first.code, detail: toStorable(texts.join('; ')) };
}

export const toFailureOfError = ({ code, message, violations }: DomainError): LineFailure =>
  toFailure(violations, { code, detail: message });

/** Converts `#/address/city` to `address.city`. */
const toMemberName = (pointer: string): string =>
  decodeURIComponent(pointer.replace(/^#\/?/, '')).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

const toStorable = (detail: string): string => detail.replaceAll('\0', '').slice(0, MAX_DETAIL_LENGTH).toWellFormed();
