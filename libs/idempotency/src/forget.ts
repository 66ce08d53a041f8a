import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { deleteExpired } from './records.ts';

const EVERY_MS = 60_000;
const PER_STATEMENT_AT_MOST = 500;

/** Deletes keys whose time is over, a bounded number per statement. */
export async function forgetKeys(database: Database, signal?: AbortSignal): Promise<void> {
  while ((await deleteExpired(database.em(), PER_STATEMENT_AT_MOST)) === PER_STATEMENT_AT_MOST && !signal?.aborted);
}

export const createKeyForgetting = (database: Database, logger: Logger): Part =>
  createJob({
    everyMs: EVERY_MS,
    work: (signal) => forgetKeys(database, signal),
    failed: (error) => logger.warn({ err: error }, 'expired idempotency keys cannot be deleted'),
  });
