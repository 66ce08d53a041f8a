import { z } from 'zod';
import { parseInstant, type Instant } from '../time.ts';
import { fault } from './parse.ts';
import { faults } from './wording.ts';

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

export interface Bounds {
  readonly gt?: Instant | undefined;
  readonly gte?: Instant | undefined;
  readonly lt?: Instant | undefined;
  readonly lte?: Instant | undefined;
}

/**
 * Returns the milliseconds within all bounds. Exact for bounds of any precision, since stored times are whole
 * milliseconds.
 */
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
