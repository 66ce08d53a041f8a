import { setTimeout as delay } from 'node:timers/promises';

/** Limit for a condition, long because a busy disk may stall for seconds. Reached only if something is broken. */
const EVENTUALLY_AT_MOST_MS = 60_000;
const POLL_MS = 10;
/** The poll interval grows to a tenth of the elapsed time, up to this. */
const POLL_AT_MOST_MS = 50;

/** Repeats `probe` until it returns something other than undefined or false, for effects in other processes. */
export async function eventually<T>(
  probe: () => Promise<T | undefined | false>,
  what = 'the condition',
  { atMostMs = EVENTUALLY_AT_MOST_MS, everyMs }: { atMostMs?: number; everyMs?: number } = {},
): Promise<T> {
  const start = Date.now();
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    const waitedMs = Date.now() - start;
    if (waitedMs > atMostMs) throw new Error(`${what} did not come true within ${atMostMs} ms.`);
    await delay(everyMs ?? Math.min(Math.max(POLL_MS, waitedMs / 10), POLL_AT_MOST_MS));
  }
}

/** Returns the error of a promise that must fail. */
export async function catchFailure(
  promise: Promise<unknown>,
): Promise<Error & { code?: string; violations?: { code: string; detail: string }[] }> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (!outcome) throw new Error('The promise must be rejected.');
  return outcome;
}

/** The same for concurrent promises. Awaiting them in sequence would leave rejections unhandled. */
export const catchFailures = (
  promises: readonly Promise<unknown>[],
): Promise<Awaited<ReturnType<typeof catchFailure>>[]> => Promise.all(promises.map(catchFailure));
