import { services } from '@saleschannel/contracts';
import { openDatabase, type Database } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { sequence, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';

const open = (values: Values<typeof environment>, logger: Logger): Promise<Database> =>
  openDatabase({ url: values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX, entities: [], migrations, logger });

export const service: ServiceDefinition<typeof environment> = {
  name: 'traders',
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity('traders', values);
    const database = await open(values, logger);
    const rbac = createClient(services.bindingDirectory, { address: values.RBAC_ADDRESS, tokens: identity.tokens });
    const context: Context = { database, rbac };
    const server = createGrpcServer({ host: values.GRPC_HOST, port: values.GRPC_PORT, services: registrations(context), tokens: identity.verifier, logger });
    const parts = sequence(database, server);
    return {
      get address() {
        return server.address;
      },
      start: () => parts.start(),
      async stop() {
        await parts.stop();
        rbac.close();
      },
    };
  },
  async migrate(values, logger) {
    const database = await open(values, logger);
    await database.migrate().finally(() => database.close());
  },
};
