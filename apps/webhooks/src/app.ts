import { Sealer } from '@saleschannel/auth';
import { createMigration, createPrimarySource, createReads, openServiceDatabase } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createKeyCleanup } from '@saleschannel/idempotency';
import type { Clock } from '@saleschannel/primitives';
import { composeApp, FairShare, type ServiceDefinition } from '@saleschannel/runtime';
import { createFaultInjector } from './delivering/attempts.ts';
import { DeliveryQueues } from './delivering/delivery-queues.ts';
import { createAttemptMetrics, registerGauges } from './delivering/metrics.ts';
import { createOwnHostsJob, createResolver, systemResolve, type Resolve } from './delivering/resolver.ts';
import { createSender } from './delivering/sender.ts';
import { SharedLog } from './delivering/shared-log.ts';
import { Worker } from './delivering/worker.ts';
import type { TargetRules } from './domain/target.ts';
import { environment } from './environment.ts';
import { createDeletionJob } from './jobs/delete-deliveries.ts';
import { createResealingJob } from './jobs/reseal-secrets.ts';
import { createEventLog } from './neighbours/event-log.ts';
import { createKeyOpener } from './operations/secrets.ts';
import { createRegistrations } from './rpc/index.ts';
import { countDisabled } from './store/endpoints.ts';
import { schema } from './store/schema.ts';

const NAME = 'webhooks';

/** Shares of the connections: for deliveries and jobs, and for failing endpoints. The rest is for calls. */
const POOLS = { deliveries: 0.4, retries: 0.2 } as const;

/**
 * @param givenClock clock of due times. Tests set it; the default is the database's clock
 * @param givenResolve resolves names. Tests set it
 */
export const createService = (givenClock?: Clock, givenResolve?: Resolve): ServiceDefinition<typeof environment> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const own = await createServiceIdentity(NAME, values, logger);
    const { database, deliveries, retries } = await openServiceDatabase(values, schema, logger, POOLS);
    const clock = givenClock ?? database.clock;
    const reads = createReads(createPrimarySource(database), database.poolMax);
    const events = createClient('eventLog', { address: values.EVENTS_ADDRESS, tokens: own.tokens });
    const log = createEventLog(events);
    const sealer = new Sealer(values.WEBHOOK_SECRET_KEYS);
    const openKeys = createKeyOpener(sealer);
    const targetRules: TargetRules = {
      allowsPrivate: values.WEBHOOK_PRIVATE_TARGETS === 'allowed',
      ports: values.WEBHOOK_PORTS,
      refused: values.WEBHOOK_REFUSED_ADDRESSES,
      own: values.WEBHOOK_OWN_HOSTS,
    };
    const resolve = givenResolve ?? (targetRules.allowsPrivate ? systemResolve : createResolver());
    const sender = createSender({ rules: targetRules, resolve });
    const worker = new Worker({
      database: deliveries,
      suspectsDatabase: retries,
      log,
      sharedLog: new SharedLog(log),
      sender,
      injectFault: values.SANDBOX ? createFaultInjector(deliveries, clock) : undefined,
      clock,
      logger,
      random: Math.random,
      record: createAttemptMetrics(),
      openKeys: ({ id, secrets }) => openKeys(id, secrets),
      queues: new DeliveryQueues((options) => new FairShare(options)),
    });
    registerGauges({ lagSeconds: () => worker.lagSeconds(), countDisabled: () => countDisabled(deliveries.em()) });
    const endpointsPerChannel = values.WEBHOOK_ENDPOINTS_PER_CHANNEL;
    const isSandbox = values.SANDBOX;
    const context = { database, reads, log, sealer, clock, logger, targetRules, endpointsPerChannel, isSandbox };
    const server = createServiceServer(values, own, createRegistrations(context), logger, database);
    const deletion = createDeletionJob(
      { database: deliveries, clock, keptDays: values.WEBHOOK_DELIVERY_KEPT_DAYS },
      logger,
    );
    const resealing = createResealingJob(deliveries, sealer, logger);
    const keys = createKeyCleanup(deliveries, logger);
    const lookups = targetRules.allowsPrivate ? [] : [createOwnHostsJob(targetRules.own, resolve, logger)];
    return composeApp([...lookups, database, deliveries, retries, worker, deletion, resealing, keys], server, [
      events,
      { close: () => void sender.close() },
    ]);
  },
  migration: createMigration(schema),
});

export const service = createService();
