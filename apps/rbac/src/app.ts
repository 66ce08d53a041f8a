import { services } from '@saleschannel/contracts';
import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker, createRelay } from '@saleschannel/messaging';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { entities } from './store/entities.ts';
import { Migration20261121000001_rbac } from './store/migration-1.ts';

const NAME = 'rbac';

const schema = { entities, migrations: [Migration20261121000001_rbac] };

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createBroker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service: NAME, logger });
    const relay = createRelay({ databaseUrl: values.DATABASE_URL, broker, service: NAME, logger });
    const context: Context = {
      database,
      users: createClient(services.userDirectory, { address: values.IDENTITY_ADDRESS, tokens: identity.tokens }),
      logger,
    };
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: registrations(context),
      tokens: identity.verifier,
      logger,
    });
    return composeApp([database, broker, relay], server, [context.users]);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
};
