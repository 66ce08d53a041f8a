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

interface Length {
  readonly atLeast: number;
  readonly atMost: number;
}

/** In characters, which are code points: names and business ids. */
export const NAME_LENGTH: Length = { atLeast: 1, atMost: 200 };
/** Members of an address. An account holder's two street lines of 200 characters arrive here as one. */
export const ADDRESS_LENGTH: Length = { atLeast: 0, atMost: 500 };

/** Text that PostgreSQL and JSON can keep: without NUL and lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** What is wrong with a text, at most one thing. */
export function textViolations(value: unknown, pointer: string, { atLeast, atMost }: Length): Violation[] {
  if (typeof value !== 'string') return [{ pointer, detail: 'must be a string', code: 'type' }];
  if (!isStorable(value)) return [{ pointer, detail: 'must not hold NUL or lone surrogates', code: 'characters' }];
  const characters = Array.from(value).length;
  if (characters < atLeast) return [{ pointer, detail: 'must not be empty', code: 'minLength' }];
  if (characters > atMost)
    return [{ pointer, detail: `must not be longer than ${atMost} characters`, code: 'maxLength' }];
  return [];
}

/** Everything that is wrong with a legal entity, as pointers into the request body. */
export function legalEntityViolations({ businessId, name, address }: LegalEntity): Violation[] {
  return [
    ...textViolations(businessId, '#/businessId', NAME_LENGTH),
    ...textViolations(name, '#/name', NAME_LENGTH),
    ...addressMembers.flatMap((member) =>
      address[member] === undefined ? [] : textViolations(address[member], `#/address/${member}`, ADDRESS_LENGTH),
    ),
  ];
}

/** The members of an address and nothing else that a message may carry. */
export function addressOf(message: { readonly [K in AddressMember]?: string | undefined }): Address {
  const address: Address = {};
  for (const member of addressMembers) if (message[member] !== undefined) address[member] = message[member];
  return address;
}
