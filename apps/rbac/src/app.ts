import { Sealer } from '@saleschannel/auth';
import { createLookUp, createMigration, openServiceDatabase } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createKeyCleanup } from '@saleschannel/idempotency';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { environment } from './environment.ts';
import { createInvitationDeletionJob } from './jobs/delete-invitations.ts';
import { createRegistrations } from './rpc/index.ts';
import { findBindings } from './store/bindings.ts';
import { schema } from './store/schema.ts';

const NAME = 'rbac';
/** Share of the connections for jobs. The rest is for calls. */
const WORK_SHARE = 0.2;

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const own = await createServiceIdentity(NAME, values, logger);
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE });
    const broker = createServiceBroker(NAME, values, logger);
    const relay = createServiceRelay(NAME, values, broker, logger);
    const identity = createClient('userDirectory', { address: values.IDENTITY_ADDRESS, tokens: own.tokens });
    const tasks = createClient('channelTasks', { address: values.TASKS_ADDRESS, tokens: own.tokens });
    const inventory = createClient('channelUse', { address: values.INVENTORY_ADDRESS, tokens: own.tokens });
    const context = {
      database,
      findBinding: createLookUp(database, findBindings),
      identity,
      tasks,
      inventory,
      sealer: new Sealer(values.ANSWER_KEYS),
      isSandbox: values.SANDBOX,
      logger,
    };
    const server = createServiceServer(values, own, createRegistrations(context), logger, database);
    const deletion = createInvitationDeletionJob(work, logger);
    const parts = [database, work, broker, relay, deletion, createKeyCleanup(work, logger)];
    return composeApp(parts, server, [identity, tasks, inventory]);
  },
  migration: createMigration(schema),
};
