import { setTimeout as delay } from 'node:timers/promises';

/** How long a condition may take to come true: a busy disk stands for seconds. Reached when something is broken. */
const EVENTUALLY_AT_MOST_MS = 60_000;
const POLL_MS = 10;
/** What takes longer is asked for less often: a tenth late at most, and no more than this. */
const POLL_AT_MOST_MS = 50;

/**
 * Asks again until `probe` returns something other than undefined or false. For what happens in another process's own
 * time.
 */
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
    if (waitedMs > atMostMs) throw new Error(`${what} did not come true within ${atMostMs} ms`);
    await delay(everyMs ?? Math.min(Math.max(POLL_MS, waitedMs / 10), POLL_AT_MOST_MS));
  }
}

/** The error of a promise that must fail. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<Error & { code?: string; violations?: { code: string; detail: string }[] }> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (!outcome) throw new Error('expected a failure');
  return outcome;
}

/** The same for several that are under way: one that fails before its turn would be heard by nobody. */
export const failuresOf = (promises: readonly Promise<unknown>[]): Promise<Awaited<ReturnType<typeof failureOf>>[]> =>
  Promise.all(promises.map(failureOf));
