const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Delays between attempts: a little over 75 hours in total. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/** Only lengthens delays, so that the schedule never falls below 75 hours. */
const JITTER = 0.1;

/** Longest delay that a receiver can request. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** An unordered endpoint is disabled after this time without a success. */
export const MAX_FAILING_MS = 5 * DAY_MS;

/**
 * Returns the delay after a failed attempt, in milliseconds, or undefined after the last one.
 * @param attempts attempts made in this schedule
 * @param random from 0 to 1
 * @param retryAfterMs delay that the receiver requested
 */
export function computeDelay(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 + JITTER * random)), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** Returns Retry-After (RFC 9110 section 10.2.3) in milliseconds from now, or undefined if missing or invalid. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
