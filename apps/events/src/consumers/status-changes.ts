import type { Database } from '@saleschannel/database';
import { Consumer, createConflictGuard, type Broker } from '@saleschannel/messaging';
import { createStageLag, type Logger } from '@saleschannel/runtime';
import { appendEvents } from '../operations/append-events.ts';

const PREFETCH_MESSAGES = 200;
const MAX_EVENTS_PER_COMMIT = 1_000;

interface Dependencies {
  readonly database: Database;
  readonly broker: Broker;
  /** Receives the channels of appended events, after the commit. */
  onAppended(salesChannelIds: ReadonlySet<string>): void;
  readonly logger: Logger;
}

/** Appends the status changes that the ledger publishes to the event log. */
export function consumeStatusChanges({ database, broker, onAppended, logger }: Dependencies): Consumer<'events.log'> {
  const refuse = createConflictGuard('events', logger);
  const lagSince = createStageLag('event');
  return new Consumer({
    broker,
    availability: database.availability,
    queue: 'events.log',
    prefetch: PREFETCH_MESSAGES,
    maxBatchEntries: MAX_EVENTS_PER_COMMIT,
    // Each entry locks the head of its channel. Events of one channel are recorded in the order of arrival.
    keysOf: ({ salesChannelId }) => [salesChannelId],
    laneOf: ({ salesChannelId }) => salesChannelId,
    async handle(entries, options) {
      const changes = entries.map(({ event }) => event);
      await appendEvents(database, changes, refuse, options);
      for (const { effectiveAt } of changes) lagSince(Date.parse(effectiveAt));
      onAppended(new Set(changes.map(({ salesChannelId }) => salesChannelId)));
    },
    logger,
  });
}
