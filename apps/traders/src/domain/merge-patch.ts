import { invalidRequest, type Violation } from '@saleschannel/errors';
import { ADDRESS_LENGTH, addressMembers, NAME_LENGTH, textViolations, type AddressMember } from './trader.ts';

/** A change of a trader: undefined leaves a field as it is. */
export interface TraderPatch {
  businessId: string | undefined;
  name: string | undefined;
  /** Takes every member away before `address` is merged. */
  clearsAddress: boolean;
  /** Members to set or, with null, to remove. */
  address: { [K in AddressMember]?: string | null };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names longer than this are not repeated in an answer. */
const NAME_SHOWN_AT_MOST = 64;

/** A JSON pointer to a member, as a URI fragment (RFC 6901, section 6). */
const pointerTo = (parent: string, name: string): string =>
  name.length > NAME_SHOWN_AT_MOST
    ? parent
    : `${parent}/${encodeURIComponent(name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'))}`;

const unknownMembers = (object: Record<string, unknown>, known: readonly string[], parent: string): Violation[] =>
  Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: pointerTo(parent, name), detail: 'is not known here', code: 'additionalProperties' }));

function addressViolations(address: unknown): Violation[] {
  if (address === undefined || address === null) return [];
  if (!isObject(address)) return [{ pointer: '#/address', detail: 'must be an object or null', code: 'type' }];
  return [
    ...addressMembers.flatMap((member) => {
      const value = address[member];
      return value === undefined || value === null ? [] : textViolations(value, `#/address/${member}`, ADDRESS_LENGTH);
    }),
    ...unknownMembers(address, addressMembers, '#/address'),
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('The patch is not JSON.', [{ pointer: '#', detail: 'must be JSON', code: 'json' }]);
  }
}

/**
 * Reads a JSON Merge Patch (RFC 7396) of a trader: members of `address` are merged one by one and null removes them; null for the whole address removes all of
 * them. `businessId` and `name` cannot be removed, and a patch that is no object would put something else in the place of the trader.
 * @throws DomainError 'invalid-request' that points at every fault
 */
export function parseTraderPatch(text: string): TraderPatch {
  const patch = parse(text);
  if (!isObject(patch))
    throw invalidRequest('The patch does not make a trader.', [
      { pointer: '#', detail: 'must be an object', code: 'type' },
    ]);
  const { businessId, name, address } = patch;
  const violations = [
    ...(businessId === undefined ? [] : textViolations(businessId, '#/businessId', NAME_LENGTH)),
    ...(name === undefined ? [] : textViolations(name, '#/name', NAME_LENGTH)),
    ...addressViolations(address),
    ...unknownMembers(patch, ['businessId', 'name', 'address'], '#'),
  ];
  if (violations.length > 0) throw invalidRequest('The patch does not make a trader.', violations);
  return {
    businessId: businessId as string | undefined,
    name: name as string | undefined,
    clearsAddress: address === null,
    address: (address ?? {}) as TraderPatch['address'],
  };
}
