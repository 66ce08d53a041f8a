import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { deleteProviderSignOuts, deleteSessions, deleteSessionTokens } from '../store/sessions.ts';

const INTERVAL_MS = 3_600_000;
const MAX_ROWS_PER_STATEMENT = 1_000;
const DAY_MS = 86_400_000;
/** For investigations. The audit trail keeps the start and end of sessions. */
const SESSIONS_KEPT_MS = 90 * DAY_MS;
/** A provider may accept a token a little past its expiry. */
const TOKENS_KEPT_MS = DAY_MS;
/** Far longer than any sign-in. */
const SIGN_OUTS_KEPT_MS = DAY_MS;

export interface DeletionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes old sessions, hashes of expired tokens, and old sign-outs. */
export async function deleteOldSessions(
  { database, clock }: Pick<DeletionOptions, 'database' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = (ms: number): Date => new Date(clock.now().getTime() - ms);
  const deletions = [
    () => deleteSessionTokens(database.em(), before(TOKENS_KEPT_MS), MAX_ROWS_PER_STATEMENT),
    () => deleteSessions(database.em(), before(SESSIONS_KEPT_MS), MAX_ROWS_PER_STATEMENT),
    () => deleteProviderSignOuts(database.em(), before(SIGN_OUTS_KEPT_MS), MAX_ROWS_PER_STATEMENT),
  ];
  for (const deleteSome of deletions) {
    let deleted: number;
    do deleted = await deleteSome();
    while (deleted === MAX_ROWS_PER_STATEMENT && signal?.aborted !== true);
  }
}

export const createSessionDeletionJob = (options: DeletionOptions): Part =>
  createJob({
    everyMs: INTERVAL_MS,
    work: (signal) => deleteOldSessions(options, signal),
    onError: (error) => options.logger.warn({ err: error }, 'old sessions cannot be deleted'),
  });
