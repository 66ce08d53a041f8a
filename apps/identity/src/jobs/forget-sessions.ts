import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { deleteProviderSignOuts } from '../store/provider-sign-outs.ts';
import { deleteSessions, deleteSessionTokens } from '../store/sessions.ts';

const EVERY_MS = 3_600_000;
const PER_STATEMENT_AT_MOST = 1_000;
const DAY_MS = 86_400_000;
/** For whoever looks into what happened. The audit trail keeps when sessions began and ended. */
const SESSIONS_KEPT_MS = 90 * DAY_MS;
/** A provider may take a token for somewhat longer than it said. */
const TOKENS_KEPT_MS = DAY_MS;
/** Far longer than a sign-in takes. */
const SIGN_OUTS_KEPT_MS = DAY_MS;

export interface ForgettingOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes records of sessions that are long over, hashes of tokens that nobody takes any more, and old sign-outs. */
export async function forgetSessions(
  { database, clock }: Pick<ForgettingOptions, 'database' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = (ms: number): Date => new Date(clock.now().getTime() - ms);
  const deletions = [
    () => deleteSessionTokens(database.em(), before(TOKENS_KEPT_MS), PER_STATEMENT_AT_MOST),
    () => deleteSessions(database.em(), before(SESSIONS_KEPT_MS), PER_STATEMENT_AT_MOST),
    () => deleteProviderSignOuts(database.em(), before(SIGN_OUTS_KEPT_MS), PER_STATEMENT_AT_MOST),
  ];
  for (const deleteSome of deletions) {
    let deleted: number;
    do deleted = await deleteSome();
    while (deleted === PER_STATEMENT_AT_MOST && signal?.aborted !== true);
  }
}

export const createForgetting = (options: ForgettingOptions): Part =>
  createJob({
    everyMs: EVERY_MS,
    work: (signal) => forgetSessions(options, signal),
    failed: (error) => options.logger.warn({ err: error }, 'old sessions cannot be deleted'),
  });
