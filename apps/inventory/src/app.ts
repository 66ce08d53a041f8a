import { createReads, createTotalsJob, migrateServiceDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { systemClock as clock } from '@saleschannel/primitives';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeTransfers } from './consumers/transfers.ts';
import { environment } from './environment.ts';
import { uncountAllExpired } from './operations/uncount-expired.ts';
import { registrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';
import { createTraderCheck } from './neighbours/trader-check.ts';

const NAME = 'inventory';

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createServiceBroker(NAME, values, logger);
    const relay = createServiceRelay(NAME, values, broker, logger);
    const transfers = consumeTransfers({ database, clock, broker, logger });
    const traders = createClient('traderDirectory', { address: values.TRADERS_ADDRESS, tokens: identity.tokens });
    const reads = createReads(database, values.DATABASE_POOL_MAX);
    const totals = createTotalsJob({ database, logger, also: () => uncountAllExpired(database) });
    const context = { database, reads, clock, isTrader: createTraderCheck(traders) };
    const server = createServiceServer(values, identity, registrations(context), logger, database);
    // Stopped in reverse: no new calls, then no new messages, then what is in the outbox, then the connections.
    return composeApp([database, broker, relay, transfers, totals], server, [traders]);
  },
  migrate: (values, logger) => migrateServiceDatabase(values, schema, logger),
};
