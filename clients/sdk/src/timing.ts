const INITIAL_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 15_000;
/** Longer timers fire immediately on all platforms. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** All three date formats begin with the day of the week (RFC 9110 section 5.6.7). */
const HTTP_DATE = /^\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Exponential backoff with full jitter, so that clients do not retry together. */
export const backoffMs = (failures: number, random: () => number): number =>
  random() * Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** Math.min(failures, 16));

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3). Undefined if missing. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*[0-9]+\s*$/.test(header)) return Number(header) * 1_000;
  // Date.parse reads "-5" and "1.5" as days of 2001.
  const at = HTTP_DATE.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

export const timerMs = (ms: number): number => Math.min(Math.max(0, ms), MAX_TIMER_MS);

/** Resolves after a delay. @throws the signal's reason on abort */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return void reject(signal.reason as Error);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, timerMs(ms));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Limits the time of external work. @throws lateError(), the signal's reason, or the error of the work */
export async function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
  lateError: () => Error,
): Promise<T> {
  const done = new AbortController();
  const onAbort = (): void => done.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timeout = pause(ms, signal?.aborted === true ? signal : done.signal).then(() => {
    throw lateError();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    done.abort();
  }
}
