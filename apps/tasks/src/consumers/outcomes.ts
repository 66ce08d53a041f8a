import type { Database } from '@saleschannel/database';
import { createConsumer, type Broker, type Consumer } from '@saleschannel/messaging';
import { meter, type Logger } from '@saleschannel/runtime';
import { closeTasks } from '../operations/close-tasks.ts';

const PREFETCH_MESSAGES = 50;
const OUTCOMES_PER_COMMIT_AT_MOST = 500;

/** What the ledger says → the tasks. */
export function consumeOutcomes(dependencies: { database: Database; broker: Broker; logger: Logger }): Consumer {
  const ended = meter().createCounter('tasks_ended_total', { description: 'Outcomes written to tasks, by status' });
  return createConsumer({
    broker: dependencies.broker,
    queue: 'tasks.outcomes',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: OUTCOMES_PER_COMMIT_AT_MOST,
    handle: (entries) => closeTasks(dependencies.database, entries, ended),
    logger: dependencies.logger,
  });
}
