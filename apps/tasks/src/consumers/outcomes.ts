import type { Database } from '@saleschannel/database';
import { Consumer, createConflictGuard, type Broker } from '@saleschannel/messaging';
import { timeOfId } from '@saleschannel/primitives';
import { countBySalesChannel, createStageLag, durationHistogram, meter, type Logger } from '@saleschannel/runtime';
import { recordOutcomes, type OutcomeListener } from '../operations/record-outcomes.ts';
import type { TaskEnds } from '../operations/task-ends.ts';
import type { OutcomeInChannel } from '../store/outcomes.ts';
import type { OtherReplicas } from './other-replicas.ts';

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
