import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { INVITATIONS_KEPT_DAYS } from '../domain/invitation.ts';
import { deleteInvitations } from '../store/invitations.ts';

const INTERVAL_MS = 3_600_000;
const MAX_ROWS_PER_STATEMENT = 1_000;

/** Deletes invitations that expired long ago, with the addresses in them. */
export async function deleteExpiredInvitations(database: Database, signal?: AbortSignal): Promise<void> {
  let deleted: number;
  do deleted = await deleteInvitations(database.em(), INVITATIONS_KEPT_DAYS, MAX_ROWS_PER_STATEMENT);
  while (deleted === MAX_ROWS_PER_STATEMENT && signal?.aborted !== true);
}

export const createInvitationDeletionJob = (database: Database, logger: Logger): Part =>
  createJob({
    everyMs: INTERVAL_MS,
    work: (signal) => deleteExpiredInvitations(database, signal),
    onError: (error) => logger.warn({ err: error }, 'old invitations cannot be deleted'),
  });
