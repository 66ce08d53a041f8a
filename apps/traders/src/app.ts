import { services } from '@saleschannel/contracts';
import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';

const schema = { entities: [], migrations };

export const service: ServiceDefinition<typeof environment> = {
  name: 'traders',
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity('traders', values);
    const database = await openServiceDatabase(values, schema, logger);
    const rbac = createClient(services.bindingDirectory, { address: values.RBAC_ADDRESS, tokens: identity.tokens });
    const context: Context = { database, rbac };
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: registrations(context),
      tokens: identity.verifier,
      logger,
    });
    return composeApp([database], server, [rbac]);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
};
