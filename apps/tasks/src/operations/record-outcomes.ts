import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';
import type { Database, EntityManager, TransactionOptions } from '@saleschannel/database';
import { recordProgress, type LedgerConflict } from '@saleschannel/messaging';
import { toOutcomes, type Outcome, type Task } from '../domain/task.ts';
import {
  applyOutcomes,
  findChannels,
  isDisagreement,
  type Disagreement,
  type OutcomeInChannel,
} from '../store/outcomes.ts';
import { findPastDisagreements } from '../store/past-tasks.ts';

/** Receives the results of a batch. */
export interface OutcomeListener {
  /** True if a client waits for the task. */
  isFollowed(taskId: string): boolean;
  /**
   * Called when the outcomes are committed.
   * @param ended the followed tasks that this batch ended, as stored, by id
   */
  onWritten(outcomes: readonly OutcomeInChannel[], ended: ReadonlyMap<string, Task>): void;
  /** Throws if a change contradicts a task. */
  onConflicts(conflicts: readonly LedgerConflict[]): void;
  /** Reports transactions without a task: this database was restored to an earlier time. */
  onUnknown(transactionIds: readonly string[]): void;
}

type OutcomeEvent = TransactionStatusChanged | TransferReported;

/**
 * Writes outcomes to the tasks, in one transaction and one round trip. Idempotent. If a change contradicts a task, or
 * its task is unknown, a second transaction finds out which.
 */
export async function recordOutcomes(
  database: Database,
  events: readonly OutcomeEvent[],
  reports: OutcomeListener,
  options: TransactionOptions = {},
): Promise<void> {
  const outcomes = toOutcomes(events);
  const placed = events.filter((event) => 'status' in event).filter(({ sequence }) => sequence !== undefined);
  const record = (mustAgree: boolean) =>
    database.transaction(async (em) => {
      const written = await addChannels(em, outcomes);
      const followed = written.map(({ taskId }) => taskId).filter((taskId) => reports.isFollowed(taskId));
      const applied = applyOutcomes(em, written, placed, { followed, mustAgree });
      applied.catch(() => undefined);
      // Sent with the outcomes. A conflict rolls back both.
      recordProgress(em, placed);
      // A conflict fails the statement, so the commit can be sent in the same round trip.
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
  if (unknown.length > 0) reports.onUnknown(unknown);
  reports.onWritten(written, ended);
}

/** Adds the channels that reports lack. Leaves out outcomes of archived tasks. */
async function addChannels(em: EntityManager, outcomes: readonly Outcome[]): Promise<OutcomeInChannel[]> {
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

const refuseConflicts = (disagreements: readonly Disagreement[], { onConflicts }: OutcomeListener): void =>
  onConflicts(
    disagreements.flatMap(({ known, taskId: _task, ...conflict }) => (known === null ? [] : { ...conflict, known })),
  );

/** Returns the transactions whose task is neither current nor archived. */
async function findUnknown(
  em: EntityManager,
  disagreements: readonly Disagreement[],
  changes: readonly TransactionStatusChanged[],
  reports: OutcomeListener,
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
