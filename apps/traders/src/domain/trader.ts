import type { Violation } from '@saleschannel/errors';

export const addressMembers = ['zipCode', 'city', 'countryName', 'street', 'poBox'] as const;
export type AddressMember = (typeof addressMembers)[number];

/** Address of a legal entity; no member is required. */
export type Address = { [K in AddressMember]?: string };

/** What describes a legal entity, as a trader or as an account holder that wants to be one. */
export interface LegalEntity {
  businessId: string;
  name: string;
  address: Address;
}

export interface Trader extends LegalEntity {
  id: string;
}

/** Characters of a name, a business id and each member of an address, at most. */
export const CHARACTERS_AT_MOST = 200;

/** Text that PostgreSQL and JSON can keep: without NUL and lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** What is wrong with a text, at most one thing; characters are code points. */
export function textViolations(value: unknown, pointer: string, charactersAtLeast: number): Violation[] {
  if (typeof value !== 'string') return [{ pointer, detail: 'must be a string', code: 'type' }];
  if (!isStorable(value)) return [{ pointer, detail: 'must not hold NUL or lone surrogates', code: 'characters' }];
  const characters = Array.from(value).length;
  if (characters < charactersAtLeast) return [{ pointer, detail: 'must not be empty', code: 'minLength' }];
  if (characters > CHARACTERS_AT_MOST) return [{ pointer, detail: `must not be longer than ${CHARACTERS_AT_MOST} characters`, code: 'maxLength' }];
  return [];
}

/** Everything that is wrong with a legal entity, as pointers into the request body. */
export function legalEntityViolations({ businessId, name, address }: LegalEntity): Violation[] {
  return [
    ...textViolations(businessId, '#/businessId', 1),
    ...textViolations(name, '#/name', 1),
    ...addressMembers.flatMap((member) => (address[member] === undefined ? [] : textViolations(address[member], `#/address/${member}`, 0))),
  ];
}

/** The members of an address and nothing else that a message may carry. */
export function addressOf(message: { readonly [K in AddressMember]?: string | undefined }): Address {
  const address: Address = {};
  for (const member of addressMembers) if (message[member] !== undefined) address[member] = message[member];
  return address;
}
