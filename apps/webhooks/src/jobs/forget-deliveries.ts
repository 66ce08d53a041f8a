import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { deleteEmptied, deleteEnded, deleteOfDeleted } from '../store/deliveries.ts';
import { deleteEndedSecrets } from '../store/secrets.ts';

const EVERY_MS = 60_000;
const PER_STATEMENT_AT_MOST = 1_000;
const DAY_MS = 86_400_000;

interface Forgetting {
  readonly database: Database;
  readonly clock: Clock;
  readonly keptDays: number;
}

/** Deletes what ended long ago and what belonged to deleted endpoints, some at a time, and secrets that have ended. */
export async function forget({ database, clock, keptDays }: Forgetting, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - keptDays * DAY_MS).toISOString();
  const all = async (some: () => Promise<number>): Promise<void> => {
    while ((await some()) === PER_STATEMENT_AT_MOST && signal?.aborted !== true);
  };
  await all(() => deleteEndedSecrets(database.em(), now.toISOString(), PER_STATEMENT_AT_MOST));
  await all(() => deleteEnded(database.em(), before, PER_STATEMENT_AT_MOST));
  await all(() => deleteOfDeleted(database.em(), PER_STATEMENT_AT_MOST));
  await deleteEmptied(database.em(), PER_STATEMENT_AT_MOST);
}

export const createForgetting = (forgetting: Forgetting, logger: Logger): Part =>
  createJob({
    everyMs: EVERY_MS,
    work: (signal) => forget(forgetting, signal),
    failed: (error) => logger.warn({ err: error }, 'old webhook deliveries cannot be deleted'),
  });
