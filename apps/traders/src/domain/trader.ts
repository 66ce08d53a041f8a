import { createHash } from 'node:crypto';
import { businessId, name, shownText, MAX_TEXT_LENGTH, jsonText, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const addressLine = shownText({ max: MAX_TEXT_LENGTH });

/** An account holder's two street lines arrive as one, joined by a comma. */
export const proposalStreet = shownText({ max: 2 * MAX_TEXT_LENGTH + 2 });

/** Address of a legal entity. No member is required. */
export const address = z.object({
  zipCode: addressLine.optional(),
  city: addressLine.optional(),
  countryName: addressLine.optional(),
  street: addressLine.optional(),
  poBox: addressLine.optional(),
});

type Address = z.output<typeof address>;

/** A trader, or an account holder that wants to become one. */
export const legalEntity = z.object({ businessId, name, address });

export type LegalEntity = z.output<typeof legalEntity>;

export interface Trader extends LegalEntity {
  readonly id: string;
}

/**
 * SHA-256 of a trader's identity, in hexadecimal digits. The audit trail keeps it in place of the names, which may be
 * those of a person. The auditor recomputes it from the tables, so its form is fixed.
 */
export const computeIdentityDigest = (traderId: string, entity: Pick<LegalEntity, 'businessId' | 'name'>): string =>
  createHash('sha256')
    .update(JSON.stringify([traderId, entity.businessId, entity.name]))
    .digest('hex');

const removable = addressLine.nullable().optional();

const traderPatch = z.strictObject({
  businessId: businessId.optional(),
  name: name.optional(),
  address: z
    .strictObject({ zipCode: removable, city: removable, countryName: removable, street: removable, poBox: removable })
    .optional(),
});

/** A change of a trader. Undefined fields stay unchanged. */
export interface TraderPatch {
  readonly businessId: string | undefined;
  readonly name: string | undefined;
  /** Members to set or, with null, to remove. */
  readonly address: { readonly [Member in keyof Address]?: string | null | undefined };
}

/** Names of the members that a patch changes. */
export const toMemberNames = ({ businessId, name, address }: TraderPatch): string[] => [
  ...(businessId === undefined ? [] : ['businessId']),
  ...(name === undefined ? [] : ['name']),
  ...Object.keys(address).map((member) => `address.${member}`),
];

/**
 * Reads a JSON Merge Patch (RFC 7396) of a trader. Members of `address` are merged one by one, and null removes them.
 * `businessId`, `name` and the whole address cannot be removed. A patch that is no object would replace the trader.
 * @throws DomainError 'invalid-request' that points at every fault
 */
export function parseTraderPatch(patchText: string): TraderPatch {
  const patch = parse(jsonText.pipe(traderPatch), patchText, 'The patch does not make a trader.');
  return {
    businessId: patch.businessId,
    name: patch.name,
    address: patch.address ?? {},
  };
}
