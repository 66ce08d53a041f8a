import { z } from 'zod';
import { parseInstant, type Instant } from '../instant.ts';
import { fault } from './parse.ts';
import { faults } from './wording.ts';

/** A range of whole milliseconds since the epoch, both ends included. Undefined is open. */
export interface TimeRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** Nothing is older or younger, so a bound beyond means the same as this one, which PostgreSQL can read. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A date-time by RFC 3339 at full precision: a bound may be finer than the milliseconds that are kept. */
export const bound = z.string().transform((value, context): Instant => {
  const instant = parseInstant(value);
  if (instant) return instant;
  context.issues.push(fault(faults.dateTime(), value));
  return z.NEVER;
});

export interface Bounds {
  readonly gt?: Instant | undefined;
  readonly gte?: Instant | undefined;
  readonly lt?: Instant | undefined;
  readonly lte?: Instant | undefined;
}

/**
 * The whole milliseconds that lie within all bounds. It is exact for bounds of any precision, since the times that are
 * compared are whole milliseconds.
 */
export function rangeOf({ gt, gte, lt, lte }: Bounds): TimeRange {
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

/** Bounds of a time as they come, or none, as the range that they are together. */
export const timeRange = optionalBounds.nullish().transform((bounds): TimeRange => rangeOf(bounds ?? {}));
