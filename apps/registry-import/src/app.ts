import { services } from '@saleschannel/contracts';
import { openDatabase, type Database } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { sequence, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { createImportWorker } from './imports/worker.ts';
import { registrations } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';

const open = (values: Values<typeof environment>, logger: Logger): Promise<Database> =>
  openDatabase({ url: values.DATABASE_URL, poolMax: values.DATABASE_POOL_MAX, entities: [], migrations, logger });

export const service: ServiceDefinition<typeof environment> = {
  name: 'registry-import',
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity('registry-import', values);
    const database = await open(values, logger);
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
    const parts = sequence(database, worker, server);
    return {
      get address() {
        return server.address;
      },
      start: () => parts.start(),
      async stop() {
        await parts.stop();
        context.ledger.close();
        context.traders.close();
      },
    };
  },
  async migrate(values, logger) {
    const database = await open(values, logger);
    await database.migrate().finally(() => database.close());
  },
};
