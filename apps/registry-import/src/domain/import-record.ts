import type { Issuance } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import type { RegistryFacility } from '@saleschannel/contracts/gen/inventory/v1/RegistryFacility';
import type { DomainError, Violation } from '@saleschannel/errors';
import { accountHolderFields, contentOf, type AccountHolderContent, type AccountHolderJson } from './account-holder.ts';
import { faultsOf, ID_LENGTH_AT_MOST, isObject, NAME_LENGTH_AT_MOST, type Fields } from './fields.ts';

export const recordTypes = ['account-holder', 'production-facility', 'issuance'] as const;
export type RecordType = (typeof recordTypes)[number];

export const isRecordType = (text: unknown): text is RecordType => (recordTypes as readonly unknown[]).includes(text);

/** One record of an import, of right shape; the ledger decides on what facilities and issuances say. */
export type ImportRecord =
  | { readonly type: 'account-holder'; readonly holder: AccountHolderContent }
  | { readonly type: 'production-facility'; readonly facility: RegistryFacility }
  | { readonly type: 'issuance'; readonly issuance: Issuance; readonly accountHolderBusinessId?: string };

/** Why a line was not applied. */
export interface LineFailure {
  readonly code: string;
  readonly detail: string;
}

const CODE_LENGTH_AT_MOST = 64;
const METHODOLOGIES_AT_MOST = 100;
const SHOWN_FAULTS_AT_MOST = 5;
const DETAIL_LENGTH_AT_MOST = 1_000;

const name = { kind: 'text', min: 1, max: NAME_LENGTH_AT_MOST, required: true } as const;
const code = { kind: 'text', min: 1, max: CODE_LENGTH_AT_MOST, required: true } as const;
const optionalId = { kind: 'text', min: 1, max: ID_LENGTH_AT_MOST } as const;

export const recordFields: Readonly<Record<RecordType, Fields>> = {
  'account-holder': accountHolderFields,
  'production-facility': {
    code,
    name,
    country: code,
    methodologyCodes: { kind: 'texts', itemsAtMost: METHODOLOGIES_AT_MOST, max: CODE_LENGTH_AT_MOST, required: true },
    supplier: name,
    gsrn: { kind: 'text', min: 1, max: CODE_LENGTH_AT_MOST },
    creditingPeriod: { kind: 'object', fields: { start: code, end: code } },
  },
  issuance: {
    issuanceId: code,
    productionFacilityCode: code,
    standard: code,
    registry: code,
    creditType: code,
    creditTypeId: { kind: 'text', min: 1, max: CODE_LENGTH_AT_MOST },
    methodologyCode: code,
    vintage: { kind: 'integer', min: 1900, max: 2999, required: true },
    productionStartDate: code,
    productionEndDate: code,
    issuingDate: code,
    expirationDate: { kind: 'text', min: 1, max: CODE_LENGTH_AT_MOST },
    firstSerial: code,
    lastSerial: code,
    accountHolderId: optionalId,
    accountHolderBusinessId: { kind: 'text', min: 1, max: NAME_LENGTH_AT_MOST },
    salesChannelId: optionalId,
  },
};

/** Names the members in the way of a CSV header: `address.city: It is required.` */
export function failureOf(
  violations: readonly Violation[],
  otherwise: LineFailure = { code: 'invalid', detail: 'The record is not valid.' },
): LineFailure {
  const [first] = violations;
  if (!first) return otherwise;
  const texts = violations.slice(0, SHOWN_FAULTS_AT_MOST).map(({ pointer = '', detail }) => {
    const member = pointer.replace(/^#\/?/, '').replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
    return member === '' ? detail : `${member}: ${detail}`;
  });
  return {
    code: first.code,
    detail: texts.join(' ').replaceAll('\0', '').slice(0, DETAIL_LENGTH_AT_MOST).toWellFormed(),
  };
}

export const failureOfError = (error: DomainError): LineFailure =>
  failureOf(error.violations, { code: error.code, detail: error.message });

/** A line of NDJSON: a record and its `type`. */
export function readTyped(value: unknown): ImportRecord | LineFailure {
  if (!isObject(value)) return { code: 'type', detail: 'The line must be a JSON object.' };
  const { type, ...members } = value;
  if (!isRecordType(type)) {
    const detail = `type: It must be one of ${recordTypes.join(', ')}.`;
    return { code: type === undefined ? 'required' : 'unknown-type', detail };
  }
  return readRecord(type, members);
}

/** Checks the shape of a record and takes it apart. */
export function readRecord(type: RecordType, members: unknown): ImportRecord | LineFailure {
  const faults = faultsOf(members, recordFields[type]);
  if (type === 'issuance' && faults.length === 0) faults.push(...ownerFaults(members as Record<string, unknown>));
  if (faults.length > 0) return failureOf(faults);
  const present = Object.fromEntries(
    Object.entries(members as object).filter(([, value]) => value !== null && value !== undefined),
  );
  switch (type) {
    case 'account-holder':
      return { type, holder: contentOf(members as unknown as AccountHolderJson) };
    case 'production-facility':
      return { type, facility: present };
    case 'issuance': {
      const { accountHolderBusinessId, ...issuance } = present as Issuance & { accountHolderBusinessId?: string };
      return accountHolderBusinessId === undefined ? { type, issuance } : { type, issuance, accountHolderBusinessId };
    }
  }
}

function ownerFaults({ accountHolderId, accountHolderBusinessId }: Record<string, unknown>): Violation[] {
  const given = [accountHolderId, accountHolderBusinessId].filter(
    (value) => value !== undefined && value !== null,
  ).length;
  if (given === 1) return [];
  const detail = 'The account holder is named either by its id or by its business id.';
  return [{ pointer: '#/accountHolderId', code: given === 0 ? 'required' : 'exclusive', detail }];
}
