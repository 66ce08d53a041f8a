import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { deleteEmptyEndpoints, deleteEnded, deleteDeliveriesOfDeletedEndpoints } from '../store/deliveries.ts';
import { deleteEndedSecrets } from '../store/secrets.ts';

const INTERVAL_MS = 60_000;
const MAX_ROWS_PER_STATEMENT = 1_000;
const DAY_MS = 86_400_000;

interface Retention {
  readonly database: Database;
  readonly clock: Clock;
  readonly keptDays: number;
}

/** Deletes expired deliveries and secrets, and deleted endpoints with their deliveries. */
export async function deleteExpired({ database, clock, keptDays }: Retention, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - keptDays * DAY_MS).toISOString();
  const deleteAll = async (deleteSome: () => Promise<number>): Promise<void> => {
    while ((await deleteSome()) === MAX_ROWS_PER_STATEMENT && signal?.aborted !== true);
  };
  await deleteAll(() => deleteEndedSecrets(database.em(), now.toISOString(), MAX_ROWS_PER_STATEMENT));
  await deleteAll(() => deleteEnded(database.em(), before, MAX_ROWS_PER_STATEMENT));
  await deleteAll(() => deleteDeliveriesOfDeletedEndpoints(database.em(), MAX_ROWS_PER_STATEMENT));
  await deleteEmptyEndpoints(database.em(), MAX_ROWS_PER_STATEMENT);
}

export const createDeletionJob = (retention: Retention, logger: Logger): Part =>
  createJob({
    everyMs: INTERVAL_MS,
    work: (signal) => deleteExpired(retention, signal),
    onError: (error) => logger.warn({ err: error }, 'old webhook deliveries cannot be deleted'),
  });
