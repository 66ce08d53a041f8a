import { setTimeout as delay } from 'node:timers/promises';

/** How long a condition may take to come true: a busy disk stands for seconds. Reached when something is broken. */
const EVENTUALLY_AT_MOST_MS = 60_000;
const POLL_MS = 10;

/**
 * Asks again until `probe` returns something other than undefined or false. For what happens in another process's own
 * time.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | false>,
  what = 'the condition',
  { atMostMs = EVENTUALLY_AT_MOST_MS, everyMs = POLL_MS }: { atMostMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + atMostMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`${what} did not come true within ${atMostMs} ms`);
    await delay(everyMs);
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
