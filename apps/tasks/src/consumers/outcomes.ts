import type { TransactionStatusChanged, TransferReported } from '@saleschannel/contracts';
import type { Database, EntityManager, TransactionOptions } from '@saleschannel/database';
import {
  Consumer,
  createConflictGuard,
  type Broker,
  recordProgress,
  type LedgerConflict,
} from '@saleschannel/messaging';
import { timeOfId } from '@saleschannel/primitives';
import { countBySalesChannel, createStageLag, durationHistogram, meter, type Logger } from '@saleschannel/runtime';
import { toOutcomes, type Outcome, type Task } from '../domain/task.ts';
import type { TaskEnds } from '../operations/task-ends.ts';
import {
  type OutcomeInChannel,
  applyOutcomes,
  findChannels,
  findPastDisagreements,
  isDisagreement,
  type Disagreement,
} from '../store/outcomes.ts';
import type { OtherReplicas } from './other-replicas.ts';

/** Receives the results of a batch. */
interface OutcomeListener {
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

const PREFETCH_MESSAGES = 50;
const MAX_OUTCOMES_PER_COMMIT = 500;
/** Transaction ids per log line. */
const MAX_LOGGED_IDS = 20;

interface Dependencies {
  readonly database: Database;
  readonly broker: Broker;
  /** Receives each committed end. */
  readonly ends: TaskEnds;
  /** Broadcasts the ends for which no client waits here. */
  readonly replicas: Pick<OtherReplicas, 'broadcastEnds'>;
  readonly logger: Logger;
}

/** Counts ended tasks and their durations, including the time for an approval. */
function createEndMetrics(): (outcome: OutcomeInChannel) => void {
  const ended = meter().createCounter('saleschannel.tasks.ended', {
    description: 'Outcomes written to tasks, by status',
  });
  const durations = durationHistogram('saleschannel.task.duration', 'Time from a request until its task has ended');
  const countInChannel = countBySalesChannel({
    name: 'saleschannel.channel.tasks',
    description: 'Finished tasks of the busiest sales channels; all others are combined',
    kind: 'status',
  });
  return ({ taskId, salesChannelId, status }) => {
    ended.add(1, { status });
    durations.record(Math.max(0, Date.now() - timeOfId(taskId)) / 1_000, { status });
    countInChannel(salesChannelId, status);
  };
}

/** Writes the outcomes that the ledger reports to the tasks. */
export function consumeOutcomes({
  database,
  broker,
  ends,
  replicas,
  logger,
}: Dependencies): Consumer<'tasks.outcomes'> {
  const count = createEndMetrics();
  const reports: OutcomeListener = {
    isFollowed: (taskId) => ends.isFollowed(taskId),
    onWritten(outcomes, ended) {
      const final = outcomes.filter(({ status }) => status !== 'PENDING');
      replicas.broadcastEnds(final.filter(({ taskId }) => !ends.isFollowed(taskId)));
      for (const outcome of final) {
        ends.notifyEnded(outcome.taskId, ended.get(outcome.taskId));
        count(outcome);
      }
    },
    onConflicts: createConflictGuard('tasks', logger),
    onUnknown: (transactionIds) =>
      logger.error(
        { count: transactionIds.length, transactionIds: transactionIds.slice(0, MAX_LOGGED_IDS) },
        'the ledger ended transactions whose tasks are not here: was this database restored to an earlier time?',
      ),
  };
  const lagSince = createStageLag('task');
  return new Consumer({
    broker,
    availability: database.availability,
    queue: 'tasks.outcomes',
    prefetch: PREFETCH_MESSAGES,
    maxBatchEntries: MAX_OUTCOMES_PER_COMMIT,
    // Each entry updates the row of its task. Outcomes of one task may arrive in any order.
    keysOf: ({ taskId }) => [taskId],
    // Reports are rare and name no channel.
    laneOf: (event) => ('salesChannelId' in event ? event.salesChannelId : ''),
    async handle(entries, options) {
      const events = entries.map(({ event }) => event);
      await recordOutcomes(database, events, reports, options);
      for (const event of events) if ('effectiveAt' in event) lagSince(Date.parse(event.effectiveAt));
    },
    logger,
  });
}
