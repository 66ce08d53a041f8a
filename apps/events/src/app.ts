import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker } from '@saleschannel/messaging';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { createLogConsumer } from './consumers/log-consumer.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';

const schema = { entities: [], migrations };

export const service: ServiceDefinition<typeof environment> = {
  name: 'events',
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity('events', values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createBroker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service: 'events', logger });
    const consumer = createLogConsumer({ database, broker, logger });
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: registrations({ database }),
      tokens: identity.verifier,
      logger,
    });
    return composeApp([database, broker, consumer], server);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
};
