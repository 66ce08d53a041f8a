import { businessId, isSameText, name, shownText, TEXT_LENGTH_AT_MOST } from '@saleschannel/primitives/validation';
import { z } from 'zod';

// Some countries have no postal codes, some places no streets: those members are required, and may be empty.
const line = shownText({ max: TEXT_LENGTH_AT_MOST });

const addressMembers = {
  postalCode: line,
  city: line,
  country: shownText({ min: 1, max: TEXT_LENGTH_AT_MOST }),
  street1: line,
  /** An empty one is none. */
  street2: line
    .nullish()
    .transform((value) => value || undefined)
    .optional(),
};

const postalAddress = z.object(addressMembers);

export type PostalAddress = z.output<typeof postalAddress>;

/**
 * What the registry says of an account holder. Without automatic approval it must approve its transactions as a seller.
 */
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

/**
 * A JSON Merge Patch (RFC 7396) of an account holder. Null removes the second line of the address, and nothing else.
 */
export const accountHolderPatch = z
  .strictObject({
    name,
    businessId,
    address: z.strictObject(addressMembers).partial(),
    autoApproval: z.boolean(),
  })
  .partial();

/** What its own users change. Name and business id are what the registry knows it by. */
export const ownPatch = accountHolderPatch.pick({ address: true, autoApproval: true });

export type AccountHolderPatch = z.output<typeof accountHolderPatch>;

export const kinds = ['HOLDER', 'REGISTRY'] as const;
export const statuses = ['ACTIVE', 'SUSPENDED'] as const;

/** What the operator says of an account holder, and the registry never does. */
export interface Standing {
  /** Users of a REGISTRY make registry keys, which may do everything on the registry API. */
  readonly kind: (typeof kinds)[number];
  /** Nothing of a SUSPENDED account holder moves, and its registry keys are not good. */
  readonly status: (typeof statuses)[number];
  /** ISO 8601. Null unless it is suspended. */
  readonly suspendedAt: string | null;
  readonly suspendedReason: string | null;
}

export interface AccountHolder extends AccountHolderContent, Standing {
  readonly id: string;
  /** ISO 8601 */
  readonly registeredOn: string;
}

/** The content after a patch. What the patch does not mention stays. */
export const patched = (content: AccountHolderContent, patch: AccountHolderPatch): AccountHolderContent => ({
  ...content,
  ...patch,
  address: { ...content.address, ...patch.address },
});

/** What differs only in what nobody sees is the same, so that a record that was stored in another form stays. */
export const sameContent = (a: AccountHolderContent, b: AccountHolderContent): boolean =>
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
