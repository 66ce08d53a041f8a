import { openDatabase, type Database } from '@saleschannel/database';
import { createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker } from '@saleschannel/messaging';
import { sequence, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import { createLogConsumer } from './consumers/log-consumer.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';

const open = (values: Values<typeof environment>, logger: Logger): Promise<Database> =>
  openDatabase({ url: values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX, entities: [], migrations, logger });

export const service: ServiceDefinition<typeof environment> = {
  name: 'events',
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity('events', values);
    const database = await open(values, logger);
    const broker = createBroker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service: 'events', logger });
    const consumer = createLogConsumer({ database, broker, logger });
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: registrations({ database }),
      tokens: identity.verifier,
      logger,
    });
    const parts = sequence(database, broker, consumer, server);
    return {
      get address() {
        return server.address;
      },
      start: () => parts.start(),
      stop: () => parts.stop(),
    };
  },
  async migrate(values, logger) {
    const database = await open(values, logger);
    await database.migrate().finally(() => database.close());
  },
};
