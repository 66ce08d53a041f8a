import { services } from '@saleschannel/contracts';
import { openDatabase, type Database } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker, createRelay } from '@saleschannel/messaging';
import { sequence, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { entities } from './store/entities.ts';
import { Migration20261121000001_rbac } from './store/migration-1.ts';

const NAME = 'rbac';
const migrations = [Migration20261121000001_rbac];

const open = (values: Values<typeof environment>, logger: Logger): Promise<Database> =>
  openDatabase({ url: values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX, entities, migrations, logger });

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values);
    const database = await open(values, logger);
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
    const parts = sequence(database, broker, relay, server);
    return {
      get address() {
        return server.address;
      },
      start: parts.start,
      async stop() {
        await parts.stop();
        context.users.close();
      },
    };
  },
  async migrate(values, logger) {
    const database = await open(values, logger);
    await database.migrate().finally(() => database.close());
  },
};
