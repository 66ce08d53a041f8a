import { services } from '@saleschannel/contracts';
import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker, createRelay } from '@saleschannel/messaging';
import { systemClock } from '@saleschannel/primitives';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeTransfers } from './consumers/transfers.ts';
import { createTraderCheck, type Context } from './context.ts';
import { environment } from './environment.ts';
import { ledgerRpcs } from './rpc/ledger.ts';
import { inventoryRpcs, selectionCheckRpcs } from './rpc/sales-channel.ts';
import { entities } from './store/entities.ts';
import { Migration20261121000001_ledger } from './store/migration-1.ts';

const NAME = 'inventory';

const schema = { entities, migrations: [Migration20261121000001_ledger] };

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const { tokens, verifier } = await createServiceIdentity(NAME, values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createBroker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service: NAME, logger });
    const relay = createRelay({ databaseUrl: values.DATABASE_URL, broker, service: NAME, logger });
    const traders = createClient(services.traderDirectory, { address: values.TRADERS_ADDRESS, tokens });
    const context: Context = { database, clock: systemClock, isTrader: createTraderCheck(traders) };
    const transfers = consumeTransfers({ ...context, broker, logger });
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: [inventoryRpcs(context), selectionCheckRpcs(context), ledgerRpcs(context)],
      tokens: verifier,
      logger,
    });
    // Stopped in reverse: no new calls, then no new messages, then what is in the outbox, then the connections.
    return composeApp([database, broker, relay, transfers], server, [traders]);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
};
