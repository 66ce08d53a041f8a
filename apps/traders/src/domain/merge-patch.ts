import { businessId, jsonText, name, parse } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { addressLine, type Address } from './trader.ts';

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
