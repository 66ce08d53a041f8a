import type { FaultWording } from '@saleschannel/errors';
/**
 * Codes and descriptions of faults, the same in all services. Codes are keywords of JSON Schema, except where the API
 * has its own.
 */
export const faults = {
  required: () => ({ code: 'required', detail: 'is required' }),
  unknownMember: () => ({ code: 'unknown-member', detail: 'is not a known member' }),
  /** @param expected one or several types of JSON Schema or of zod */
  type: (expected: string | readonly string[]) => ({
    code: 'type',
    detail: `must be ${[expected].flat().map(toNoun).join(' or ')}`,
  }),
  enum: (allowed: readonly unknown[]) => ({ code: 'enum', detail: `must be one of ${allowed.map(String).join(', ')}` }),
  pattern: (detail = 'must match the pattern in the contract') => ({ code: 'pattern', detail }),
  format: (detail: string) => ({ code: 'format', detail }),
  dateTime: () => ({
    code: 'format',
    detail: 'must be an existing date and time with a time zone, such as 2025-03-04T10:02:11.318Z',
  }),
  blank: () => ({ code: 'blank', detail: 'must contain visible text' }),
  nulCharacter: () => ({ code: 'nul-character', detail: 'must not contain a NUL character' }),
  controlCharacter: () => ({ code: 'pattern', detail: 'must not contain control characters' }),
  loneSurrogate: () => ({ code: 'lone-surrogate', detail: 'must not contain half of a surrogate pair' }),
  minLength: (least: number) => ({
    code: 'minLength',
    detail: least === 1 ? 'must not be empty' : `must have at least ${least} characters`,
  }),
  maxLength: (most: number) => ({ code: 'maxLength', detail: `must have at most ${most} characters` }),
  maxProperties: (most: number) => ({ code: 'maxProperties', detail: `must have at most ${most} members` }),
  minItems: (least: number) => ({ code: 'minItems', detail: `must have at least ${least} ${items(least)}` }),
  maxItems: (most: number) => ({ code: 'maxItems', detail: `must have at most ${most} ${items(most)}` }),
  minimum: (least: number | bigint) => ({ code: 'minimum', detail: `must be ${least} or more` }),
  maximum: (most: number | bigint) => ({ code: 'maximum', detail: `must be ${most} or less` }),
  fractionDigits: (most: number) => ({ code: 'fraction-digits', detail: `must have at most ${most} decimal places` }),
} as const satisfies Record<string, (...values: never[]) => FaultWording>;

const nouns: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  integer: 'a whole number',
  nan: 'a number',
  null: 'null',
  object: 'an object',
  record: 'an object',
};
const toNoun = (type: string): string => nouns[type] ?? `a ${type}`;
const items = (count: number): string => (count === 1 ? 'item' : 'items');
