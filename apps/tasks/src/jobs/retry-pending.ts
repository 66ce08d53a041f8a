import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import type { Announcer } from '../operations/announce.ts';
import { retryUnanswered, withdrawRefused } from '../operations/retry-pending.ts';

/** Transactions per run and kind of work; the rest waits for the next run. */
const MAX_ROUNDS = 10;

interface RetryOptions {
  readonly database: Database;
  readonly announcer: Announcer;
  /** Time without an answer after which a task is announced again. */
  readonly seconds: number;
  readonly logger: Logger;
}

/** Periodically withdraws tasks whose announcement was refused, and announces unanswered tasks again. */
export const createRetryJob = ({ database, announcer, seconds, logger }: RetryOptions): Part =>
  createJob({
    everyMs: (seconds * 1_000) / 3,
    async work(signal) {
      const withdrawn = await repeat(() => withdrawRefused(database, announcer), signal);
      if (withdrawn > 0) logger.error(`the broker refused the announcement of ${withdrawn} task(s); withdrawing them`);
      const forgotten = await repeat(() => retryUnanswered(database, announcer, seconds), signal);
      if (forgotten > 0) logger.warn(`the ledger has not answered ${forgotten} task(s); announcing them again`);
    },
    onError: (error) => logger.warn({ err: error }, 'cannot look for unanswered tasks'),
  });

async function repeat(work: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
    const done = await work();
    if (done === 0) break;
    count += done;
  }
  return count;
}
