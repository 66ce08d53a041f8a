import type { Database } from '@saleschannel/database';
import { createConsumer, type Broker, type Consumer, type Entry } from '@saleschannel/messaging';
import { withSpan, type Logger } from '@saleschannel/runtime';
import { append } from '../operations/append.ts';

const PREFETCH_MESSAGES = 200;
const BATCH_ENTRIES_AT_MOST = 1_000;

type StatusChange = Entry<'inventory.transaction.status-changed.v1'>;

/** Writes what the ledger reports into the log, in batches. */
export const createLogConsumer = ({ database, broker, logger }: { database: Database; broker: Broker; logger: Logger }): Consumer =>
  createConsumer({
    broker,
    queue: 'events.log',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: BATCH_ENTRIES_AT_MOST,
    logger,
    async handle(entries) {
      const batch = append(database, entries.map((entry) => entry.event));
      await Promise.all([batch, ...entries.filter(isTraced).map((entry) => traced(entry, batch))]);
    },
  });

const isTraced = ({ event }: StatusChange): boolean => event.traceparent !== '';

/** Shows the batch in the trace of one of the requests that it serves. */
const traced = ({ event }: StatusChange, batch: Promise<void>): Promise<void> =>
  withSpan('events.append', { kind: 'consumer', parent: event.traceparent, attributes: { 'transaction.id': event.transactionId } }, () => batch);
