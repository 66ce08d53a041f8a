import { invalidRequest, isFaultCode, type FaultCode, type FaultWording, type Violation } from '@saleschannel/errors';
import type { z } from 'zod';

/** Codes and descriptions of faults. Codes are keywords of JSON Schema, except where the API has its own. */
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

/** Longer member names from clients are truncated in responses. */
const MAX_NAME_CHARACTERS = 100;

/** Truncates a member name from a client for a response. */
export const shorten = (text: string): string =>
  (text.length > MAX_NAME_CHARACTERS ? `${text.slice(0, MAX_NAME_CHARACTERS)}…` : text).toWellFormed();

const encodeSegment = (part: PropertyKey): string =>
  encodeURIComponent(shorten(String(part)).replaceAll('~', '~0').replaceAll('/', '~1'));

/** Returns a JSON pointer as a URI fragment (RFC 6901 section 6): `['assets', 0]` becomes `#/assets/0`. */
export const toPointer = (path: readonly PropertyKey[]): string =>
  `#${path.map((part) => `/${encodeSegment(part)}`).join('')}`;

/** Maps the path of a fault to its location in the request. */
export type LocateFault = (path: readonly PropertyKey[]) => Pick<Violation, 'pointer' | 'parameter'>;

/** Locates faults of request bodies, by JSON pointer. */
export const body: LocateFault = (path) => ({ pointer: toPointer(path) });

/** Locates faults of values whose members are parameters with these public names. All other members are in the body. */
export const parameters =
  (names: Readonly<Record<string, string>>): LocateFault =>
  (path) => {
    const parameter = names[String(path[0])];
    return parameter === undefined ? body(path) : { parameter };
  };

/**
 * Parses a value with a schema.
 * @param title a sentence that sums up the error for people
 * @throws DomainError 'invalid-request' with a violation per fault
 */
export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  title: string,
  place: LocateFault = body,
): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidRequest(title, toViolations(result.error, place));
}

/** Converts all faults of a parse, which must have used the option `reportInput`. */
export const toViolations = (error: z.ZodError, place: LocateFault = body): Violation[] =>
  error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ ...place([...issue.path, key]), ...faults.unknownMember() }))
      : [{ ...place(issue.path), ...toWording(issue) }],
  );

/** Creates the issue of a custom check: `context.issues.push(fault(faults.maxLength(200), value))`. */
export const fault = (wording: FaultWording, input: unknown): z.core.$ZodRawIssue => ({
  code: 'custom',
  message: wording.detail,
  params: { code: wording.code },
  input,
});

function toWording(issue: z.core.$ZodIssue): FaultWording {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? faults.required() : faults.type(issue.expected);
    case 'invalid_value':
      return issue.input === undefined ? faults.required() : faults.enum(issue.values);
    case 'invalid_union':
      return issue.input === undefined ? faults.required() : { code: 'type', detail: issue.message };
    case 'invalid_format':
      return faults.pattern(issue.message);
    case 'too_small':
      if (issue.origin === 'array') return faults.minItems(Number(issue.minimum));
      return issue.origin === 'string' ? faults.minLength(Number(issue.minimum)) : faults.minimum(issue.minimum);
    case 'too_big':
      if (issue.origin === 'array') return faults.maxItems(Number(issue.maximum));
      return issue.origin === 'string' ? faults.maxLength(Number(issue.maximum)) : faults.maximum(issue.maximum);
    case 'custom':
      return { code: toFaultCode(issue.params), detail: issue.message };
    default:
      return { code: 'invalid', detail: issue.message };
  }
}

const toFaultCode = (params: Record<string, unknown> | undefined): FaultCode =>
  isFaultCode(params?.['code']) ? params['code'] : 'invalid';
