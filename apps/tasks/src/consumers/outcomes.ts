import type { Database } from '@saleschannel/database';
import { Consumer, createConflictGuard, type Broker } from '@saleschannel/messaging';
import { meter, type Logger } from '@saleschannel/runtime';
import { recordOutcomes, type Reports } from '../operations/record-outcomes.ts';

const PREFETCH_MESSAGES = 50;
const OUTCOMES_PER_COMMIT_AT_MOST = 500;
/** Transactions that one log line names at most. */
const NAMED_AT_MOST = 20;

interface Parts {
  readonly database: Database;
  readonly broker: Broker;
  readonly logger: Logger;
}

/** What the ledger says → the tasks. */
export function consumeOutcomes({ database, broker, logger }: Parts): Consumer<'tasks.outcomes'> {
  const reports: Reports = {
    finished: meter().createCounter('tasks_ended_total', { description: 'Outcomes written to tasks, by status' }),
    refuse: createConflictGuard('tasks', logger),
    unknown: (transactionIds) =>
      logger.error(
        { count: transactionIds.length, transactionIds: transactionIds.slice(0, NAMED_AT_MOST) },
        'the ledger ended transactions whose tasks are not here: was this database restored to an earlier time?',
      ),
  };
  return new Consumer({
    broker,
    queue: 'tasks.outcomes',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: OUTCOMES_PER_COMMIT_AT_MOST,
    // The row of its task. Outcomes of one task may come in any order.
    keysOf: ({ taskId }) => [taskId],
    // What is only reported names no channel, and is rare.
    laneOf: (event) => ('salesChannelId' in event ? event.salesChannelId : ''),
    handle: (entries, options) =>
      recordOutcomes(
        database,
        entries.map(({ event }) => event),
        reports,
        options,
      ),
    logger,
  });
}
