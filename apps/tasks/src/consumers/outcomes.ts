import type { Database } from '@saleschannel/database';
import { Consumer, type Broker } from '@saleschannel/messaging';
import { meter, type Logger } from '@saleschannel/runtime';
import { recordOutcomes } from '../operations/record-outcomes.ts';

const PREFETCH_MESSAGES = 50;
const OUTCOMES_PER_COMMIT_AT_MOST = 500;

interface Parts {
  readonly database: Database;
  readonly broker: Broker;
  readonly logger: Logger;
}

/** What the ledger says → the tasks. */
export function consumeOutcomes({ database, broker, logger }: Parts): Consumer<'tasks.outcomes'> {
  const finished = meter().createCounter('tasks_ended_total', { description: 'Outcomes written to tasks, by status' });
  return new Consumer({
    broker,
    queue: 'tasks.outcomes',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: OUTCOMES_PER_COMMIT_AT_MOST,
    // The row of its task. Outcomes of one task may come in any order.
    keysOf: ({ taskId }) => [taskId],
    handle: (entries, options) =>
      recordOutcomes(
        database,
        entries.map(({ event }) => event),
        finished,
        options,
      ),
    logger,
  });
}
