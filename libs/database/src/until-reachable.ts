import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@saleschannel/runtime';
import { isTransient } from './errors.ts';

const RETRY_FIRST_MS = 100;
const RETRY_AT_MOST_MS = 2_000;

export interface Waiting {
  /** From the first failure to the last attempt. */
  readonly waitMs: number;
  readonly logger: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * Tries again while the database cannot be reached. Where services and databases start together, names that do not
 * resolve yet and refused connections are usual.
 * @throws what the last attempt throws
 */
export async function untilReachable<T>({ waitMs, logger, signal }: Waiting, work: () => Promise<T>): Promise<T> {
  let end: number | undefined;
  for (let wait = RETRY_FIRST_MS; ; wait = Math.min(wait * 2, RETRY_AT_MOST_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      end ??= performance.now() + waitMs;
      const leftMs = end - performance.now();
      if (leftMs <= 0) throw error;
      const left = `trying again for ${Math.ceil(leftMs / 1_000)} s`;
      logger.warn(`the database cannot be reached: ${(error as Error).message}; ${left}`);
      await delay(Math.min(wait, leftMs), undefined, { signal }).catch(() => undefined);
    }
  }
}
