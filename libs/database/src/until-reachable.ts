import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@saleschannel/runtime';
import { isTransient } from './errors.ts';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;

export interface Waiting {
  /** Limit from the first failure to the last attempt. */
  readonly waitMs: number;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Retries while the database is unreachable. If services and databases start together, unresolved names and refused
 * connections are normal.
 * @throws the error of the last attempt
 */
export async function retryUntilReachable<T>({ waitMs, logger, signal }: Waiting, work: () => Promise<T>): Promise<T> {
  let end: number | undefined;
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      end ??= performance.now() + waitMs;
      const remainingMs = end - performance.now();
      if (remainingMs <= 0) throw error;
      const remaining = `retrying for ${Math.ceil(remainingMs / 1_000)} s`;
      logger.warn(`the database is unreachable: ${(error as Error).message}; ${remaining}`);
      await delay(Math.min(wait, remainingMs), undefined, { signal }).catch(() => undefined);
    }
  }
}
