import type { Database } from '@saleschannel/database';
import { createConsumer, type Broker, type Consumer } from '@saleschannel/messaging';
import { withSpan, type Logger } from '@saleschannel/runtime';
import { append } from '../operations/append.ts';

const PREFETCH_MESSAGES = 200;
const BATCH_ENTRIES_AT_MOST = 1_000;

/** Writes what the ledger reports into the log, in batches. */
export const createLogConsumer = ({
  database,
  broker,
  logger,
}: {
  database: Database;
  broker: Broker;
  logger: Logger;
}): Consumer =>
  createConsumer({
    broker,
    queue: 'events.log',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: BATCH_ENTRIES_AT_MOST,
    logger,
    handle: (entries) => {
      const [parent, ...links] = entries
        .map(({ event }) => event.traceparent)
        .filter((traceparent) => traceparent !== '');
      return withSpan('events.append', { parent, links, attributes: { 'batch.size': entries.length } }, () =>
        append(
          database,
          entries.map(({ event }) => event),
        ),
      );
    },
  });
