import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';
import type { Database, EntityManager, TransactionOptions } from '@saleschannel/database';
import { recordProgress, type LedgerConflict } from '@saleschannel/messaging';
import { outcomesOf, type Outcome, type Task } from '../domain/task.ts';
import {
  applyOutcomes,
  findChannels,
  isDisagreement,
  type Disagreement,
  type OutcomeInChannel,
} from '../store/outcomes.ts';
import { findPastDisagreements } from '../store/past-tasks.ts';

/** Where it is told what came of a batch. */
export interface Reports {
  /** Whether the task as it ends is wanted. */
  isFollowed(taskId: string): boolean;
  /**
   * What became of tasks is committed.
   * @param ended by their ids, as they are stored, the tasks that this batch ended and that are wanted
   */
  written(outcomes: readonly OutcomeInChannel[], ended: ReadonlyMap<string, Task>): void;
  /** Throws when there are changes that contradict a task. */
  refuse(conflicts: readonly LedgerConflict[]): void;
  /** There are no such tasks: this database was restored to a time before they were made. */
  unknown(transactionIds: readonly string[]): void;
}

type OutcomeEvent = TransactionStatusChanged | TransferReported;

/**
 * Writes what the ledger says to the tasks, in one transaction and one round trip. Told again, it changes nothing. Only
 * when something does not agree with the tasks a second transaction finds out what.
 */
export async function recordOutcomes(
  database: Database,
  events: readonly OutcomeEvent[],
  reports: Reports,
  options: TransactionOptions = {},
): Promise<void> {
  const outcomes = outcomesOf(events);
  const placed = events.filter((event) => 'status' in event).filter(({ sequence }) => sequence !== undefined);
  const record = (mustAgree: boolean) =>
    database.transaction(async (em) => {
      const written = await inChannels(em, outcomes);
      const followed = written.map(({ taskId }) => taskId).filter((taskId) => reports.isFollowed(taskId));
      const applied = applyOutcomes(em, written, placed, { followed, mustAgree });
      applied.catch(() => undefined);
      // It travels with the outcomes. What is refused then undoes both.
      recordProgress(em, placed);
      // Nothing can be refused any more, so the commit travels with them, too.
      if (mustAgree) return { unknown: [], written, applied };
      const { disagreements } = await applied;
      refuseConflicts(disagreements, reports);
      return { unknown: await findUnknown(em, disagreements, placed, reports), written, applied };
    }, options);
  const { unknown, written, applied } = await record(true).catch((error: unknown) => {
    if (isDisagreement(error)) return record(false);
    throw error;
  });
  const { ended } = await applied;
  if (unknown.length > 0) reports.unknown(unknown);
  reports.written(written, ended);
}

/** With the channels of their tasks, which a mere report does not name. Without those that ended long ago. */
async function inChannels(em: EntityManager, outcomes: readonly Outcome[]): Promise<OutcomeInChannel[]> {
  const unplaced = outcomes.filter(({ salesChannelId }) => salesChannelId === undefined);
  const channels =
    unplaced.length === 0
      ? new Map<string, string>()
      : await findChannels(
          em,
          unplaced.map(({ taskId }) => taskId),
        );
  return outcomes.flatMap((outcome) => {
    const salesChannelId = outcome.salesChannelId ?? channels.get(outcome.taskId);
    return salesChannelId === undefined ? [] : { ...outcome, salesChannelId };
  });
}

const refuseConflicts = (disagreements: readonly Disagreement[], { refuse }: Reports): void =>
  refuse(
    disagreements.flatMap(({ known, taskId: _task, ...conflict }) => (known === null ? [] : { ...conflict, known })),
  );

/** The transactions whose task is not known, and not among those that ended long ago either. */
async function findUnknown(
  em: EntityManager,
  disagreements: readonly Disagreement[],
  changes: readonly TransactionStatusChanged[],
  reports: Reports,
): Promise<string[]> {
  if (disagreements.length === 0) return [];
  const missing = new Set(disagreements.map(({ taskId }) => taskId));
  const past = await findPastDisagreements(
    em,
    changes.filter(({ taskId }) => missing.has(taskId)),
  );
  refuseConflicts(past, reports);
  return past.map(({ transactionId }) => transactionId);
}
