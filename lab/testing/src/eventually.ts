import { setTimeout as delay } from 'node:timers/promises';

/** Limit for a condition, long because a busy disk may stall for seconds. Only a fault reaches it. */
const EVENTUALLY_AT_MOST_MS = 60_000;
const POLL_MS = 10;
/** Maximum of the poll interval, which grows with the elapsed time: a tenth of it. */
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
    if (waitedMs > atMostMs) throw new Error(`Waited ${atMostMs} ms in vain for ${what}.`);
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

/** Returns the errors of concurrent promises. Awaiting them in sequence would leave rejections unhandled. */
export const catchFailures = (
  promises: readonly Promise<unknown>[],
): Promise<Awaited<ReturnType<typeof catchFailure>>[]> => Promise.all(promises.map(catchFailure));
