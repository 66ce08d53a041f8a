import type { DomainError, ErrorCode, FaultCode, Violation } from '@saleschannel/errors';
import { faults, violationsOf } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { accountHolderLine, type AccountHolderContent } from './account-holder.ts';
import { facilityLine, issuanceLine, type Facility, type Issuance } from './ledger-records.ts';

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
  /** Names the account holder when the issuance does not hold its id. */
  readonly accountHolderBusinessId?: string | undefined;
}

/** One record of an import, of the right shape. The ledger decides on what facilities and issuances say. */
export type ImportRecord = AccountHolderRecord | FacilityRecord | IssuanceRecord;

/** Why a line was not applied. */
export interface LineFailure {
  readonly code: FaultCode | ErrorCode;
  readonly detail: string;
}

const SHOWN_FAULTS_AT_MOST = 5;
const DETAIL_LENGTH_AT_MOST = 1_000;

/** The members of a record, without its type. */
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

/** Checks the shape of a record, which names its type, and takes it apart. */
export function readRecord(value: unknown): ImportRecord | LineFailure {
  const found = typed.safeParse(value, { reportInput: true });
  if (!found.success) return failureOf(violationsOf(found.error));
  const read = recordSchemas[found.data.type].safeParse(value, { reportInput: true });
  return read.success ? read.data : failureOf(unknownFirst(violationsOf(read.error)));
}

const isUnknown = ({ code }: Violation): boolean => code === faults.unknownMember().code;

/**
 * The first fault gives a line its code. A member that is not known is often the misspelled name of one that is
 * missing.
 */
const unknownFirst = (violations: readonly Violation[]): Violation[] =>
  violations.toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a)));

/**
 * The line's failure for these faults. Members are named as in the header of a CSV file: `address.city: is required`.
 */
export function failureOf(
  violations: readonly Violation[],
  otherwise: LineFailure = { code: 'invalid', detail: 'The record is not valid.' },
): LineFailure {
  const [first] = violations;
  if (!first) return otherwise;
  const texts = violations.slice(0, SHOWN_FAULTS_AT_MOST).map(({ pointer, detail }) => {
    const member = pointer && memberAt(pointer);
    return member ? `${member}: ${detail}` : detail;
  });
  return { code: first.code, detail: storable(texts.join('; ')) };
}

export const failureOfError = ({ code, message, violations }: DomainError): LineFailure =>
  failureOf(violations, { code, detail: message });

/** `#/address/city` as `address.city`. */
const memberAt = (pointer: string): string =>
  decodeURIComponent(pointer.replace(/^#\/?/, '')).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

const storable = (detail: string): string => detail.replaceAll('\0', '').slice(0, DETAIL_LENGTH_AT_MOST).toWellFormed();
