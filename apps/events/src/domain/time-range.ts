/** A range of whole milliseconds since the epoch, both ends included; undefined is open. */
export interface TimeRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** A moment at full precision: the last whole millisecond at or before it, and whether it is that very millisecond. */
export interface Moment {
  readonly floorMs: number;
  readonly isWhole: boolean;
}

/** An ISO 8601 date-time with its offset, as RFC 3339 section 5.6 has it; nine fraction digits are nanoseconds, more than anyone keeps. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const MINUTE_MS = 60_000;
const DAY_SECONDS = 86_400;
/** No event is older, and none will be younger while four digits hold a year: a bound beyond means the same as this. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Reads a date-time; undefined when it is none (no offset, 30 February, 25 o'clock). A leap second is the first second of the next day. */
export function parseMoment(text: string): Moment | undefined {
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
  const fraction = match[7] ?? '';
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  const wholeSecondMs = date.getTime() - (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * MINUTE_MS;
  if (second === 60 && (wholeSecondMs / 1000) % DAY_SECONDS !== 0) return undefined;
  return {
    floorMs: wholeSecondMs + Number(fraction.slice(0, 3).padEnd(3, '0')),
    isWhole: /^0*$/.test(fraction.slice(3)),
  };
}

export interface Bounds {
  gt?: Moment | undefined;
  gte?: Moment | undefined;
  lt?: Moment | undefined;
  lte?: Moment | undefined;
}

/** The whole milliseconds that lie within all bounds. Exact at any precision of the bounds: times of the log are whole milliseconds. */
export function rangeOf({ gt, gte, lt, lte }: Bounds): TimeRange {
  const from: number[] = [];
  const to: number[] = [];
  if (gt) from.push(gt.floorMs + 1);
  if (gte) from.push(gte.isWhole ? gte.floorMs : gte.floorMs + 1);
  if (lt) to.push(lt.isWhole ? lt.floorMs - 1 : lt.floorMs);
  if (lte) to.push(lte.floorMs);
  const clamp = (ms: number): number => Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS);
  return {
    fromMs: from.length > 0 ? clamp(Math.max(...from)) : undefined,
    toMs: to.length > 0 ? clamp(Math.min(...to)) : undefined,
  };
}
