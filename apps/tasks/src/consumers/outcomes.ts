import type { Database } from '@saleschannel/database';
import { Consumer, createConflictGuard, type Broker } from '@saleschannel/messaging';
import { timeOfId } from '@saleschannel/primitives';
import { countBySalesChannel, createStageLag, durationHistogram, meter, type Logger } from '@saleschannel/runtime';
import { recordOutcomes, type Reports } from '../operations/record-outcomes.ts';
import type { TaskEnds } from '../operations/task-ends.ts';
import type { OutcomeInChannel } from '../store/outcomes.ts';
import type { OtherReplicas } from './other-replicas.ts';

const PREFETCH_MESSAGES = 50;
const OUTCOMES_PER_COMMIT_AT_MOST = 500;
/** Transactions that one log line names at most. */
const NAMED_AT_MOST = 20;

interface Parts {
  readonly database: Database;
  readonly broker: Broker;
  /** Hears of each end once it is committed. */
  readonly ends: TaskEnds;
  /** Hear of those for which nobody waits here. */
  readonly replicas: Pick<OtherReplicas, 'tell'>;
  readonly logger: Logger;
}

/** Counts the tasks that ended, and how long they took. One that waited for an approval took as long as that did. */
function createEndMetrics(): (outcome: OutcomeInChannel) => void {
  const ended = meter().createCounter('saleschannel.tasks.ended', {
    description: 'Outcomes written to tasks, by status',
  });
  const durations = durationHistogram('saleschannel.task.duration', 'Time from a request until its task has ended');
  const ofChannel = countBySalesChannel({
    name: 'saleschannel.channel.tasks',
    description: 'Finished tasks of the busiest sales channels; all others are combined',
    kind: 'status',
  });
  return ({ taskId, salesChannelId, status }) => {
    ended.add(1, { status });
    durations.record(Math.max(0, Date.now() - timeOfId(taskId)) / 1_000, { status });
    ofChannel(salesChannelId, status);
  };
}

/** What the ledger says → the tasks. */
export function consumeOutcomes({ database, broker, ends, replicas, logger }: Parts): Consumer<'tasks.outcomes'> {
  const count = createEndMetrics();
  const reports: Reports = {
    isFollowed: (taskId) => ends.isFollowed(taskId),
    written(outcomes, ended) {
      const over = outcomes.filter(({ status }) => status !== 'PENDING');
      replicas.tell(over.filter(({ taskId }) => !ends.isFollowed(taskId)));
      for (const outcome of over) {
        ends.tell(outcome.taskId, ended.get(outcome.taskId));
        count(outcome);
      }
    },
    refuse: createConflictGuard('tasks', logger),
    unknown: (transactionIds) =>
      logger.error(
        { count: transactionIds.length, transactionIds: transactionIds.slice(0, NAMED_AT_MOST) },
        'the ledger ended transactions whose tasks are not here: was this database restored to an earlier time?',
      ),
  };
  const lagSince = createStageLag('task');
  return new Consumer({
    broker,
    availability: database.availability,
    queue: 'tasks.outcomes',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: OUTCOMES_PER_COMMIT_AT_MOST,
    // The row of its task. Outcomes of one task may come in any order.
    keysOf: ({ taskId }) => [taskId],
    // What is only reported names no channel, and is rare.
    laneOf: (event) => ('salesChannelId' in event ? event.salesChannelId : ''),
    async handle(entries, options) {
      const events = entries.map(({ event }) => event);
      await recordOutcomes(database, events, reports, options);
      for (const event of events) if ('effectiveAt' in event) lagSince(Date.parse(event.effectiveAt));
    },
    logger,
  });
}
