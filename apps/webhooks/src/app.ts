import { Sealer } from '@saleschannel/auth';
import { createReads, FairShare, migrationOf, openServiceDatabase, primaryAlone } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { systemClock, type Clock } from '@saleschannel/primitives';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { createStandIn } from './delivering/faults.ts';
import { Lanes } from './delivering/lanes.ts';
import { createAttemptMetrics, observe } from './delivering/metrics.ts';
import { createSender } from './delivering/sender.ts';
import { SharedLog } from './delivering/shared-log.ts';
import { Worker } from './delivering/worker.ts';
import { environment } from './environment.ts';
import { createForgetting } from './jobs/forget-deliveries.ts';
import { createResealing } from './jobs/reseal-secrets.ts';
import { eventLogOf } from './neighbours/event-log.ts';
import { keyOpener } from './operations/secrets.ts';
import { registrations } from './rpc/index.ts';
import { countDisabled } from './store/endpoints.ts';
import { schema } from './store/schema.ts';

const NAME = 'webhooks';

/** @param clock tells what is due; tests set it */
export const createService = (clock: Clock = systemClock): ServiceDefinition<typeof environment> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const own = await createServiceIdentity(NAME, values, logger);
    const database = await openServiceDatabase(values, schema, logger);
    const reads = createReads(primaryAlone(database), values.DATABASE_POOL_MAX);
    const events = createClient('eventLog', { address: values.EVENTS_ADDRESS, tokens: own.tokens });
    const log = eventLogOf(events);
    const sealer = new Sealer(values.WEBHOOK_SECRET_KEYS);
    const openKeys = keyOpener(sealer);
    const allowsPrivate = values.WEBHOOK_PRIVATE_TARGETS === 'allowed';
    const sender = createSender({ allowsPrivate });
    const worker = new Worker({
      database,
      log,
      sharedLog: new SharedLog(log),
      sender,
      standIn: values.SANDBOX ? createStandIn(database, clock) : undefined,
      clock,
      logger,
      random: Math.random,
      record: createAttemptMetrics(),
      keysOf: ({ id, secrets }) => openKeys(id, secrets),
      lanes: new Lanes((options) => new FairShare(options)),
    });
    observe({ lagSeconds: () => worker.lagSeconds(), countDisabled: () => countDisabled(database.em()) });
    const endpointsPerChannel = values.WEBHOOK_ENDPOINTS_PER_CHANNEL;
    const isSandbox = values.SANDBOX;
    const context = { database, reads, log, sealer, clock, logger, allowsPrivate, endpointsPerChannel, isSandbox };
    const server = createServiceServer(values, own, registrations(context), logger, database);
    const forgetting = createForgetting({ database, clock, keptDays: values.WEBHOOK_DELIVERY_KEPT_DAYS }, logger);
    const resealing = createResealing(database, sealer, logger);
    return composeApp([database, worker, forgetting, resealing], server, [
      events,
      { close: () => void sender.close() },
    ]);
  },
  migration: migrationOf(schema),
});

export const service = createService();
