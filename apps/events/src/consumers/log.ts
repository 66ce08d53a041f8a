import type { Database } from '@saleschannel/database';
import { Consumer, type Broker } from '@saleschannel/messaging';
import { withSpan, type Logger } from '@saleschannel/runtime';
import { appendEvents } from '../operations/append-events.ts';

const PREFETCH_MESSAGES = 200;
const BATCH_ENTRIES_AT_MOST = 1_000;

/** Writes what the ledger reports into the log, in batches. */
export const createLogConsumer = (database: Database, broker: Broker, logger: Logger): Consumer<'events.log'> =>
  new Consumer({
    broker,
    queue: 'events.log',
    prefetch: PREFETCH_MESSAGES,
    batchEntriesAtMost: BATCH_ENTRIES_AT_MOST,
    logger,
    handle: (entries) => {
      const changes = entries.map(({ event }) => event);
      const [parent, ...links] = changes.map(({ traceparent }) => traceparent).filter((each) => each !== '');
      return withSpan('events.append', { parent, links, attributes: { 'batch.size': changes.length } }, () =>
        appendEvents(database, changes),
      );
    },
  });
