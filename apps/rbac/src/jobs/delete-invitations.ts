import type { Database } from '@saleschannel/database';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { INVITATIONS_KEPT_DAYS } from '../domain/invitation.ts';
import { deleteInvitations } from '../store/invitations.ts';

const EVERY_MS = 3_600_000;
const PER_STATEMENT_AT_MOST = 1_000;

/** Deletes invitations that ended long ago, with the addresses in them. */
export async function forgetInvitations(database: Database, signal?: AbortSignal): Promise<void> {
  let deleted: number;
  do deleted = await deleteInvitations(database.em(), INVITATIONS_KEPT_DAYS, PER_STATEMENT_AT_MOST);
  while (deleted === PER_STATEMENT_AT_MOST && signal?.aborted !== true);
}

export const createForgetting = (database: Database, logger: Logger): Part =>
  createJob({
    everyMs: EVERY_MS,
    work: (signal) => forgetInvitations(database, signal),
    failed: (error) => logger.warn({ err: error }, 'old invitations cannot be deleted'),
  });
