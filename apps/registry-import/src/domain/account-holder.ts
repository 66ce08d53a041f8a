import { businessId, isSameText, name, shownText, MAX_TEXT_LENGTH } from '@saleschannel/primitives/validation';
import { z } from 'zod';

// Required, but may be empty: some countries have no postal codes, some places no streets.
const line = shownText({ max: MAX_TEXT_LENGTH });

const addressMembers = {
  postalCode: line,
  city: line,
  country: shownText({ min: 1, max: MAX_TEXT_LENGTH }),
  street1: line,
  /** Empty means missing. */
  street2: line
    .nullish()
    .transform((value) => value || undefined)
    .optional(),
};

const postalAddress = z.object(addressMembers);

export type PostalAddress = z.output<typeof postalAddress>;

/** Members set by the registry. Without automatic approval, the account holder must approve its sales. */
export const accountHolderContent = z.object({
  name,
  businessId,
  address: postalAddress,
  autoApproval: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
});

export type AccountHolderContent = z.output<typeof accountHolderContent>;

/** An account holder as a line of an import. */
export const accountHolderLine = z.strictObject({
  ...accountHolderContent.shape,
  address: z.strictObject(addressMembers),
});

/** A JSON Merge Patch (RFC 7396) of an account holder. Null removes only the second line of the address. */
export const accountHolderPatch = z
  .strictObject({
    name,
    businessId,
    address: z.strictObject(addressMembers).partial(),
    autoApproval: z.boolean(),
  })
  .partial();

/** Members that its own users may change. Name and business id belong to the registry. */
export const ownPatch = accountHolderPatch.pick({ address: true, autoApproval: true });

export type AccountHolderPatch = z.output<typeof accountHolderPatch>;

export const kinds = ['HOLDER', 'REGISTRY'] as const;
export const statuses = ['ACTIVE', 'SUSPENDED'] as const;

/** Members set by the operator only. */
export interface OperatorSettings {
  /** Users of a REGISTRY can create registry keys, which may call the whole registry API. */
  readonly kind: (typeof kinds)[number];
  /** A SUSPENDED account holder cannot move certificates, and its registry keys are refused. */
  readonly status: (typeof statuses)[number];
  /** In ISO 8601. Null unless it is suspended. */
  readonly suspendedAt: string | null;
  readonly suspendedReason: string | null;
}

export interface AccountHolder extends AccountHolderContent, OperatorSettings {
  readonly id: string;
  /** In ISO 8601. */
  readonly registeredOn: string;
}

/** Members that the patch omits stay. */
export const applyPatch = (content: AccountHolderContent, patch: AccountHolderPatch): AccountHolderContent => ({
  ...content,
  ...patch,
  address: { ...content.address, ...patch.address },
});

/** Compares normalized texts, so that records stored in another form count as equal. */
export const hasSameContent = (a: AccountHolderContent, b: AccountHolderContent): boolean =>
  a.autoApproval === b.autoApproval &&
  isSameText(a.name, b.name) &&
  isSameText(a.businessId, b.businessId) &&
  isSameText(a.address.postalCode, b.address.postalCode) &&
  isSameText(a.address.city, b.address.city) &&
  isSameText(a.address.country, b.address.country) &&
  isSameText(a.address.street1, b.address.street1) &&
  (a.address.street2 === b.address.street2 ||
    (a.address.street2 !== undefined &&
      b.address.street2 !== undefined &&
      isSameText(a.address.street2, b.address.street2)));
