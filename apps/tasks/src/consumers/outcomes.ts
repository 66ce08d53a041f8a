import type { Database } from '@saleschannel/database';
import { createConsumer, type Broker, type Consumer } from '@saleschannel/messaging';
import type { Logger } from '@saleschannel/runtime';
import { closeTasks } from '../operations/close-tasks.ts';

const PREFETCH_MESSAGES = 50;
const OUTCOMES_PER_COMMIT_AT_MOST = 500;

/** What the ledger says → the tasks. */
export const consumeOutcomes = (dependencies: { database: Database; broker: Broker; logger: Logger }): Consumer =>
  createConsumer({
    broker: dependencies.broker,
    queue: 'tasks.outcomes',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: OUTCOMES_PER_COMMIT_AT_MOST,
    handle: (entries) => closeTasks(dependencies.database, entries),
    logger: dependencies.logger,
  });
