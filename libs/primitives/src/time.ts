/** Source of the time, replaced by tests. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Adds a year in the UTC calendar. 29 February becomes 28 February. */
export function addCalendarYear(date: Date): Date {
  const later = new Date(date);
  later.setUTCFullYear(date.getUTCFullYear() + 1);
  // A year without 29 February rolls over to 1 March. Day 0 of that month is the day before.
  if (later.getUTCMonth() !== date.getUTCMonth()) later.setUTCDate(0);
  return later;
}

/** Point in time at full precision. */
export interface Instant {
  /** Milliseconds since the epoch, rounded down. */
  readonly floorMs: number;
  /** True if `floorMs` is exact. */
  readonly isWhole: boolean;
}

/**
 * Date-time of RFC 3339 section 5.6, without leap seconds, and without lower case and spaces, on which parsers differ.
 * Nine fraction digits are nanoseconds, more than any service stores.
 */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const MINUTE_MS = 60_000;
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses a date-time with a time zone. Undefined outside the years 1 to 9999 and for dates such as 30 February. */
export function parseInstant(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  const [fraction = '', sign, zoneHour, zoneMinute] = match.slice(7);
  const zoneMs =
    sign === undefined ? 0 : (Number(zoneHour) * 60 + Number(zoneMinute)) * MINUTE_MS * (sign === '+' ? 1 : -1);
  const floorMs = date.getTime() - zoneMs + Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (floorMs < EARLIEST_MS || floorMs > LATEST_MS) return undefined;
  return { floorMs, isWhole: /^0*$/.test(fraction.slice(3)) };
}

/**
 * Formats a date-time for all APIs: UTC with milliseconds.
 * @throws RangeError if the text is not a date-time
 */
export function formatInstant(text: string): string {
  const instant = parseInstant(text);
  if (!instant) throw new RangeError(`"${text}" is not a date-time`);
  return new Date(instant.floorMs).toISOString();
}
