import { invalidRequest, requestRefused, type DomainError, type Violation } from '@saleschannel/errors';
import { faultsOf, isObject, NAME_LENGTH_AT_MOST, pointerTo, type Fields } from './fields.ts';

export interface PostalAddress {
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
  readonly street1: string;
  readonly street2: string | null;
}

/** What the registry says of an account holder. */
export interface AccountHolderContent {
  readonly name: string;
  readonly businessId: string;
  readonly address: PostalAddress;
  /** False: transactions of this seller wait for its approval. */
  readonly autoApproval: boolean;
}

export interface AccountHolder extends AccountHolderContent {
  readonly id: string;
  readonly registeredOn: string;
}

const line = { kind: 'text', max: NAME_LENGTH_AT_MOST } as const;
const name = { kind: 'text', min: 1, max: NAME_LENGTH_AT_MOST, required: true } as const;

// Some countries have no postal codes, some places no streets: those members are required, and may be empty.
const addressFields = {
  postalCode: { ...line, required: true },
  city: { ...line, required: true },
  country: name,
  street1: { ...line, required: true },
  street2: line,
} as const satisfies Fields;

export const accountHolderFields = {
  name,
  businessId: name,
  address: { kind: 'object', fields: addressFields, required: true },
  autoApproval: { kind: 'flag' },
} as const satisfies Fields;

/** What {@link accountHolderFields} lets through. */
export interface AccountHolderJson {
  name: string;
  businessId: string;
  address: Omit<PostalAddress, 'street2'> & { street2?: string | null };
  autoApproval?: boolean | null;
}

/** An empty second line is none. */
export const contentOf = (json: AccountHolderJson): AccountHolderContent => ({
  name: json.name,
  businessId: json.businessId,
  address: { ...json.address, street2: json.address.street2 || null },
  autoApproval: json.autoApproval ?? true,
});

const invalid = (faults: Violation[]): DomainError => invalidRequest('The account holder is not valid.', faults);

/** @throws DomainError `invalid-request` with a pointer to each fault */
export function readAccountHolder(value: unknown): AccountHolderContent {
  const faults = faultsOf(value, accountHolderFields);
  if (faults.length > 0) throw invalid(faults);
  return contentOf(value as AccountHolderJson);
}

export const sameContent = (a: AccountHolderContent, b: AccountHolderContent): boolean =>
  a.name === b.name &&
  a.businessId === b.businessId &&
  a.autoApproval === b.autoApproval &&
  a.address.postalCode === b.address.postalCode &&
  a.address.city === b.address.city &&
  a.address.country === b.address.country &&
  a.address.street1 === b.address.street1 &&
  a.address.street2 === b.address.street2;

export const CONTRADICTION = {
  code: 'contradicts-stored',
  detail: 'There is an account holder with this business id and other content.',
} as const;

export const contradiction = (): DomainError =>
  requestRefused(CONTRADICTION.detail, [{ pointer: '#/businessId', ...CONTRADICTION }]);

export const businessIdTaken = (): DomainError =>
  requestRefused('Another account holder has this business id.', [
    { pointer: '#/businessId', code: 'contradicts-stored', detail: 'Another account holder has this business id.' },
  ]);

/** Null means "remove" (RFC 7396), which only the second street line can be. */
function nullFaults(patch: Record<string, unknown>, pointer: string, removable: readonly string[]): Violation[] {
  return Object.entries(patch)
    .filter(([member, value]) => value === null && !removable.includes(member))
    .map(([member]) => ({ pointer: pointerTo(pointer, member), code: 'type', detail: 'It cannot be removed.' }));
}

/**
 * The account holder after a JSON Merge Patch (RFC 7396).
 * @throws DomainError `invalid-request` with a pointer to each fault
 */
export function patched(current: AccountHolderContent, patch: unknown): AccountHolderContent {
  if (!isObject(patch)) throw invalid([{ pointer: '#', code: 'type', detail: 'It must be an object.' }]);
  const address = Object.hasOwn(patch, 'address') ? patch['address'] : {};
  const nulls = [
    ...nullFaults(patch, '#', []),
    ...(isObject(address) ? nullFaults(address, '#/address', ['street2']) : []),
  ];
  if (nulls.length > 0) throw invalid(nulls);
  return readAccountHolder({
    ...current,
    ...patch,
    address: isObject(address) ? { ...current.address, ...address } : address,
  });
}
