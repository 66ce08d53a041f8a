import { services } from '@saleschannel/contracts';
import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { createImportWorker } from './imports/worker.ts';
import { registrations } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';

const schema = { entities: [], migrations };

export const service: ServiceDefinition<typeof environment> = {
  name: 'registry-import',
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity('registry-import', values);
    const database = await openServiceDatabase(values, schema, logger);
    const context: Context = {
      database,
      ledger: createClient(services.ledger, { address: values.INVENTORY_ADDRESS, tokens: identity.tokens }),
      traders: createClient(services.traderDirectory, { address: values.TRADERS_ADDRESS, tokens: identity.tokens }),
      logger,
      lease: { leaseMs: values.IMPORT_LEASE_MS, pollMs: values.IMPORT_POLL_MS },
      wakeWorker: () => worker.wake(),
    };
    const worker = createImportWorker(context);
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: registrations(context),
      tokens: identity.verifier,
      logger,
    });
    return composeApp([database, worker], server, [context.ledger, context.traders]);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
};
