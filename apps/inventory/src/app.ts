import { migrateServiceDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { systemClock as clock } from '@saleschannel/primitives';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeTransfers } from './consumers/transfers.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';
import { createSuspensionCheck } from './neighbours/suspension-check.ts';
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
    const rbac = createClient('bindingDirectory', { address: values.RBAC_ADDRESS, tokens: identity.tokens });
    const registryImport = { address: values.REGISTRY_IMPORT_ADDRESS, tokens: identity.tokens };
    const accountHolders = createClient('accountHolderDirectory', registryImport);
    const findSuspension = createSuspensionCheck({ rbac, accountHolders, traders });
    const context = { database, clock, isTrader: createTraderCheck(traders), findSuspension };
    const server = createServiceServer(values, identity, registrations(context), logger);
    // Stopped in reverse: no new calls, then no new messages, then what is in the outbox, then the connections.
    return composeApp([database, broker, relay, transfers], server, [traders, rbac, accountHolders]);
  },
  migrate: (values, logger) => migrateServiceDatabase(values, schema, logger),
};
