import { createReads, createMigration, openServiceDatabase, createPrimarySource } from '@saleschannel/database';
import { createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createServiceBroker } from '@saleschannel/messaging';
import { composeApp, sequence, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeStatusChanges } from './consumers/status-changes.ts';
import { environment } from './environment.ts';
import { STREAM_PAGE_SIZE, Feed } from './feed/feed.ts';
import { createRegistrations } from './rpc/index.ts';
import { listEvents, readHeads } from './store/events.ts';
import { schema } from './store/schema.ts';

const NAME = 'events';
/** Share of the connections for the consumer. The rest is for calls. */
const WORK_SHARE = 0.4;

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values, logger);
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE });
    const broker = createServiceBroker(NAME, values, logger);
    const reads = createReads(createPrimarySource(database), database.poolMax);
    const feed = new Feed({
      availability: database.availability,
      read(salesChannelId, afterMs) {
        const createdAt = { fromMs: afterMs + 1, toMs: undefined };
        const page = { salesChannelId, createdAt, eventType: undefined, descending: false, limit: STREAM_PAGE_SIZE };
        return reads.page(`channel/${salesChannelId}`, (em) => listEvents(em, page));
      },
      readHeads: (salesChannelIds) => readHeads(database.em(), salesChannelIds),
      onPollError: (error) => logger.debug({ err: error }, 'cannot read the heads of the event log'),
    });
    const appended = (salesChannelIds: ReadonlySet<string>): void => feed.wakeStreams(salesChannelIds);
    const statusChanges = consumeStatusChanges({ database: work, broker, onAppended: appended, logger });
    const server = createServiceServer(
      values,
      identity,
      createRegistrations({ database, reads, feed }),
      logger,
      database,
    );
    const app = composeApp([database, work, broker, statusChanges], server);
    // Parts stop in reverse order: the feed ends the streams that the server waits for.
    const all = sequence(app, feed);
    return {
      get address() {
        return app.address;
      },
      get isHealthy() {
        return all.isHealthy !== false;
      },
      start: () => all.start(),
      stop: () => all.stop(),
    };
  },
  migration: createMigration(schema),
};
