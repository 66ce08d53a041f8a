import { migrationOf, openServiceDatabase } from '@saleschannel/database';
import { createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createServiceBroker } from '@saleschannel/messaging';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeStatusChanges } from './consumers/status-changes.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';

const NAME = 'events';

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values, logger);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createServiceBroker(NAME, values, logger);
    const statusChanges = consumeStatusChanges({ database, broker, logger });
    const server = createServiceServer(values, identity, registrations({ database }), logger, database);
    return composeApp([database, broker, statusChanges], server);
  },
  migration: migrationOf(schema),
};
