import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import type { Announcer } from '../operations/announce.ts';
import { pickUpForgotten } from '../operations/pick-up-forgotten.ts';
import { withdrawRefused } from '../operations/withdraw-refused.ts';

/** Of one look. What is left then is found by the next one. */
const ROUNDS_AT_MOST = 10;

interface PickUpOptions {
  readonly database: Database;
  readonly announcer: Announcer;
  readonly seconds: number;
  readonly logger: Logger;
}

/** Looks for forgotten tasks from time to time, and for those that the ledger could not be told of. */
export const createPickUp = (options: PickUpOptions): Part => {
  const { database, announcer, seconds, logger } = options;
  return createJob({
    everyMs: (seconds * 1_000) / 3,
    async work(signal) {
      const withdrawn = await repeat(() => withdrawRefused(database, announcer), signal);
      if (withdrawn > 0) logger.error(`the ledger cannot be told of ${withdrawn} task(s); withdrawing them`);
      const forgotten = await repeat(() => pickUpForgotten(database, announcer, seconds), signal);
      if (forgotten > 0) logger.warn(`the ledger has not answered ${forgotten} task(s); announcing them again`);
    },
    failed: (error) => logger.warn({ err: error }, 'cannot look for tasks without an answer'),
  });
};

async function repeat(work: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (let round = 0; round < ROUNDS_AT_MOST && !signal.aborted; round++) {
    const done = await work();
    if (done === 0) break;
    count += done;
  }
  return count;
}
