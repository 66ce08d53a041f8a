import { notFound } from '@saleschannel/errors';
import { z } from 'zod';
import { parseInstant, type Instant } from '../time.ts';
import { MAX_UNIT_PRICE, parseUnitPrice, UNIT_PRICE_FRACTION_DIGITS } from '../money.ts';
import { fault, faults } from './parse.ts';

/** Range of milliseconds since the epoch, both ends included. An undefined end is open. */
export interface TimeRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Bounds beyond these are moved to them, within the range of PostgreSQL. No record is older or newer. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Date-time (RFC 3339) at full precision, which may be finer than stored milliseconds. */
export const bound = z.string().transform((value, context): Instant => {
  const instant = parseInstant(value);
  if (instant) return instant;
  context.issues.push(fault(faults.dateTime(), value));
  return z.NEVER;
});

interface Bounds {
  readonly gt?: Instant | undefined;
  readonly gte?: Instant | undefined;
  readonly lt?: Instant | undefined;
  readonly lte?: Instant | undefined;
}

/** Returns the milliseconds within all bounds, exact for any precision, since stored times are whole milliseconds. */
export function toTimeRange({ gt, gte, lt, lte }: Bounds): TimeRange {
  const from: number[] = [];
  const to: number[] = [];
  if (gt) from.push(gt.floorMs + 1);
  if (gte) from.push(gte.isWhole ? gte.floorMs : gte.floorMs + 1);
  if (lt) to.push(lt.isWhole ? lt.floorMs - 1 : lt.floorMs);
  if (lte) to.push(lte.floorMs);
  return {
    fromMs: from.length > 0 ? clamp(Math.max(...from)) : undefined,
    toMs: to.length > 0 ? clamp(Math.min(...to)) : undefined,
  };
}

const clamp = (ms: number): number => Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS);

const optionalBounds = z.object({
  gt: bound.optional(),
  gte: bound.optional(),
  lt: bound.optional(),
  lte: bound.optional(),
});

/** Parses optional bounds into a range. */
export const timeRange = optionalBounds.nullish().transform((bounds): TimeRange => toTimeRange(bounds ?? {}));

/** Maximum length of names and business ids. */
export const MAX_NAME_LENGTH = 200;
/** Maximum length of other texts, and of the members of an address. */
export const MAX_TEXT_LENGTH = 1_000;
/** Maximum length of ids. Our own are cuids. Ids of other systems may be URLs. */
export const MAX_ID_LENGTH = 128;

/** Whether a text can be stored: PostgreSQL and JSON cannot store NUL and lone surrogates. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

/**
 * Counts code points, as people and the public contract do. Most texts need no counting, because even their UTF-16
 * units are within the limit.
 */
export const countCharacters = (value: string, most: number): number =>
  value.length <= most ? value.length : [...value].length;

/**
 * Excludes control characters (C0, DEL, C1) and characters that change the writing direction, which could forge lines
 * of logs and terminals, or disguise a name. The public contract states the same pattern.
 */
export const PLAIN_TEXT_PATTERN =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';
const plainTextForm = new RegExp(PLAIN_TEXT_PATTERN, 'u');

export const isPlainText = (value: string): boolean => plainTextForm.test(value);

/** Line of text that can be stored, with limits in characters. For display texts use `shownText`. */
export const text = ({ min = 0, max }: { min?: number; max: number }) =>
  z.string().check((context) => {
    const { value, issues } = context;
    const length = countCharacters(value, max);
    if (value.includes('\0')) issues.push(fault(faults.nulCharacter(), value));
    else if (!value.isWellFormed()) issues.push(fault(faults.loneSurrogate(), value));
    else if (!isPlainText(value)) issues.push(fault(faults.controlCharacter(), value));
    else if (length > max) issues.push(fault(faults.maxLength(max), value));
    else if (value.length < min && length < min) issues.push(fault(faults.minLength(min), value));
  });

/** RFC 5321 section 4.5.3.1.3, without the brackets. */
const MAX_EMAIL_LENGTH = 254;

/**
 * E-mail address: text on both sides of one `@`, without blanks, control and invisible characters. Only a delivered
 * mail could prove that the address exists.
 */
export const emailAddress = text({ min: 3, max: MAX_EMAIL_LENGTH }).regex(
  /^[^@\s\p{Cc}\p{Cf}]+@[^@\s\p{Cc}\p{Cf}]+$/u,
  { error: 'must be an e-mail address' },
);

/** Id of a record. */
export const id = text({ min: 1, max: MAX_ID_LENGTH });

/** @param detail description for people, such as "must be six letters or digits" */
export const pattern = (form: RegExp, detail: string) => z.string().regex(form, { error: detail });

/** ISO 3166-1 alpha-2. */
export const countryCode = pattern(/^[A-Z]{2}$/, 'must be two upper-case letters');

/** Header Idempotency-Key. The public contract states the same form. */
export const idempotencyKey = pattern(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores or hyphens');

/** Existing date-time (RFC 3339), as unchanged text. */
export const dateTime = z.string().check(({ value, issues }) => {
  if (!parseInstant(value)) issues.push(fault(faults.dateTime(), value));
});

/** Date-time (RFC 3339) as a Date, truncated to milliseconds. */
export const date = dateTime.transform((value) => new Date(parseInstant(value)?.floorMs ?? Number.NaN));

export const period = z.object({ start: dateTime, end: dateTime }).check(({ value, issues }) => {
  if (Date.parse(value.start) > Date.parse(value.end)) {
    issues.push({
      ...fault({ code: 'period-order', detail: 'must not be before the start' }, value.end),
      path: ['end'],
    });
  }
});

/**
 * Returns an id for a lookup. An impossible id is not found, rather than invalid.
 * @throws DomainError 'not-found' for an impossible id
 */
export function idToFind(value: string): string {
  if (value === '' || value.length > MAX_ID_LENGTH || !isStorable(value)) throw notFound();
  return value;
}

/** Parses a unit price into its canonical text: 0 or more, at most six fraction digits. */
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

/** JSON text, such as a JSON Merge Patch (RFC 7396) between services. */
export const jsonText = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.issues.push(fault({ code: 'json', detail: 'must be valid JSON' }, value));
    return z.NEVER;
  }
});

/** Maximum number of ids in one lookup. */
const MAX_LOOK_UPS = 10_000;

/** Ids that another service looks up. Impossible ids are dropped, like unknown ones. */
export const idListToFind = z
  .array(z.string())
  .max(MAX_LOOK_UPS)
  .transform((ids) => ids.filter(isStorable));

/** Like {@link idListToFind}, for records with several ids. */
export const idsToFind = <Shape extends Record<string, z.ZodString>>(shape: Shape) =>
  z
    .array(z.object(shape))
    .max(MAX_LOOK_UPS)
    .transform((keys) => keys.filter((key) => Object.values<string>(key as Record<string, string>).every(isStorable)));
