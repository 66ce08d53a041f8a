import { notFound } from '@saleschannel/errors';
import { z } from 'zod';
import { parseInstant } from '../instant.ts';
import { MAX_UNIT_PRICE, parseUnitPrice, UNIT_PRICE_FRACTION_DIGITS } from '../money.ts';
import { fault } from './parse.ts';
import { faults } from './wording.ts';

/** Names and business ids have 1 to 200 characters everywhere. */
export const NAME_LENGTH_AT_MOST = 200;
/** Other texts, and the members of an address. */
export const TEXT_LENGTH_AT_MOST = 1_000;
/** Ids of this system are cuids, those of others rarely longer than a URL. */
export const ID_LENGTH_AT_MOST = 128;

/** Whether PostgreSQL and JSON can keep a text: no NUL, and no half of a surrogate pair. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

/**
 * Code points, as people and the public contract count characters. Most texts are short enough in any way of counting.
 */
export const lengthOf = (value: string, most: number): number =>
  value.length <= most ? value.length : [...value].length;

/**
 * What texts consist of: no control characters (C0, DEL, C1), and none that change the direction of writing. Those
 * could forge a line of a log or a terminal, or show a name as another one. The public contract states the same
 * pattern.
 */
export const PLAIN_TEXT_PATTERN =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';
const plainTextForm = new RegExp(PLAIN_TEXT_PATTERN, 'u');

/** Whether a text holds nothing but what {@link PLAIN_TEXT_PATTERN} allows. */
export const isPlainText = (value: string): boolean => plainTextForm.test(value);

/** A line of text that can be stored, with its length in characters. Texts for people are `shownText`. */
export const text = ({ min = 0, max }: { min?: number; max: number }) =>
  z.string().check((context) => {
    const { value, issues } = context;
    const length = lengthOf(value, max);
    if (value.includes('\0')) issues.push(fault(faults.nulCharacter(), value));
    else if (!value.isWellFormed()) issues.push(fault(faults.loneSurrogate(), value));
    else if (!isPlainText(value)) issues.push(fault(faults.controlCharacter(), value));
    else if (length > max) issues.push(fault(faults.maxLength(max), value));
    else if (value.length < min && length < min) issues.push(fault(faults.minLength(min), value));
  });

/** RFC 5321 section 4.5.3.1.3, without the brackets. */
const EMAIL_LENGTH_AT_MOST = 254;

/**
 * An e-mail address, as far as its form tells: something on both sides of one `@`, without blanks, control characters
 * and characters that nobody sees. Only a letter that arrives proves more.
 */
export const emailAddress = text({ min: 3, max: EMAIL_LENGTH_AT_MOST }).regex(
  /^[^@\s\p{Cc}\p{Cf}]+@[^@\s\p{Cc}\p{Cf}]+$/u,
  { error: 'must be an e-mail address' },
);

/** An id that a record refers to by. */
export const id = text({ min: 1, max: ID_LENGTH_AT_MOST });

/** A text of a form. `detail` says which, for people: "must be six letters or digits". */
export const pattern = (form: RegExp, detail: string) => z.string().regex(form, { error: detail });

/** A country by ISO 3166-1 alpha-2. */
export const countryCode = pattern(/^[A-Z]{2}$/, 'must be two upper-case letters');

/** The header Idempotency-Key, in the form that the public contract states. */
export const idempotencyKey = pattern(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores or hyphens');

/** A date-time by RFC 3339 that exists, as the text it was. */
export const dateTime = z.string().check(({ value, issues }) => {
  if (!parseInstant(value)) issues.push(fault(faults.dateTime(), value));
});

/** A date-time by RFC 3339, as a Date. What is finer than a millisecond is cut off. */
export const date = dateTime.transform((value) => new Date(parseInstant(value)?.floorMs ?? Number.NaN));

/** A period that does not end before it starts. */
export const period = z.object({ start: dateTime, end: dateTime }).check(({ value, issues }) => {
  if (Date.parse(value.start) > Date.parse(value.end)) {
    issues.push({
      ...fault({ code: 'period-order', detail: 'must not be before the start' }, value.end),
      path: ['end'],
    });
  }
});

/**
 * An id to look up. It is never judged: a text that no id can be names nothing.
 * @throws DomainError 'not-found' for such a text
 */
export function idToFind(value: string): string {
  if (value === '' || value.length > ID_LENGTH_AT_MOST || !isStorable(value)) throw notFound();
  return value;
}

/** A unit price as decimal text, in its one canonical form: 0 or more, at most six fraction digits. */
export const unitPrice = z.string().transform((value, context) => {
  const parsed = parseUnitPrice(value);
  if ('price' in parsed) return parsed.price;
  context.issues.push(fault(unitPriceFaults[parsed.fault], value));
  return z.NEVER;
});

const unitPriceFaults = {
  'not-a-number': faults.type('number'),
  'too-many-fraction-digits': faults.fractionDigits(UNIT_PRICE_FRACTION_DIGITS),
  negative: faults.minimum(0),
  'too-high': faults.maximum(MAX_UNIT_PRICE),
};

/** JSON as text, for instance a JSON Merge Patch (RFC 7396) on its way between services. */
export const jsonText = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.issues.push(fault({ code: 'json', detail: 'must be valid JSON' }, value));
    return z.NEVER;
  }
});

/** Things that another service looks up at once are at most so many. */
const LOOK_UPS_AT_MOST = 10_000;

/** Ids that another service looks up at once. Those that no id can be are left out, as unknown ones are. */
export const idListToFind = z
  .array(z.string())
  .max(LOOK_UPS_AT_MOST)
  .transform((ids) => ids.filter(isStorable));

/** As {@link idListToFind}, for things that it takes several ids to name. */
export const idsToFind = <Shape extends Record<string, z.ZodString>>(shape: Shape) =>
  z
    .array(z.object(shape))
    .max(LOOK_UPS_AT_MOST)
    .transform((keys) => keys.filter((key) => Object.values<string>(key as Record<string, string>).every(isStorable)));
