import { jsonText, name, parse } from '@saleschannel/validation';
import { z } from 'zod';
import { addressLine, type Address } from './trader.ts';

const removable = addressLine.nullable().optional();

const traderPatch = z.strictObject({
  businessId: name.optional(),
  name: name.optional(),
  address: z
    .strictObject({ zipCode: removable, city: removable, countryName: removable, street: removable, poBox: removable })
    .nullable()
    .optional(),
});

/** A change of a trader. Undefined leaves a field as it is. */
export interface TraderPatch {
  readonly businessId: string | undefined;
  readonly name: string | undefined;
  /** True: every member of the address is removed before `address` is merged. */
  readonly clearsAddress: boolean;
  /** Members to set or, with null, to remove. */
  readonly address: { readonly [Member in keyof Address]?: string | null | undefined };
}

/** The members that a patch changes, by their names. */
export const membersOf = ({ businessId, name, clearsAddress, address }: TraderPatch): string[] => [
  ...(businessId === undefined ? [] : ['businessId']),
  ...(name === undefined ? [] : ['name']),
  ...(clearsAddress ? ['address'] : Object.keys(address).map((member) => `address.${member}`)),
];

/**
 * Reads a JSON Merge Patch (RFC 7396) of a trader. Members of `address` are merged one by one and null removes them.
 * Null for the whole address removes all of them. `businessId` and `name` cannot be removed, and a patch that is no
 * object would put something else in the place of the trader.
 * @throws DomainError 'invalid-request' that points at every fault
 */
export function parseTraderPatch(patchText: string): TraderPatch {
  const patch = parse(jsonText.pipe(traderPatch), patchText, 'The patch does not make a trader.');
  return {
    businessId: patch.businessId,
    name: patch.name,
    clearsAddress: patch.address === null,
    address: patch.address ?? {},
  };
}
