const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From one attempt to the next. Together somewhat more than 75 hours. */
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

/** Attempts of one schedule. */
export const ATTEMPTS_AT_MOST = DELAYS_MS.length + 1;

/** Makes delays longer and never shorter, so that 75 hours are promised whatever is drawn. */
const JITTER = 0.1;

/** A receiver cannot put off an attempt for longer. */
const RETRY_AFTER_AT_MOST_MS = DAY_MS;

/** An unordered endpoint none of whose attempts succeeded for so long is disabled. */
export const FAILING_AT_MOST_MS = 5 * DAY_MS;

/**
 * How long to wait after a failed attempt, in milliseconds. Undefined after the last one.
 * @param attempts how many of the schedule were made
 * @param random from 0 to 1
 * @param retryAfterMs what the receiver asked for
 */
export function delayAfter(attempts: number, random: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return undefined;
  return Math.max(Math.round(delay * (1 + JITTER * random)), Math.min(retryAfterMs, RETRY_AFTER_AT_MOST_MS));
}

/** The header Retry-After (RFC 9110 section 10.2.3) in milliseconds from now. Undefined for none and for nonsense. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
