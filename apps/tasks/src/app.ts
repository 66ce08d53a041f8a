import { services } from '@saleschannel/contracts';
import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker, createRelay } from '@saleschannel/messaging';
import { composeApp, meter, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeOutcomes } from './consumers/outcomes.ts';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { createParties } from './parties.ts';
import { createPickUp } from './operations/pick-up.ts';
import { taskRpcs } from './rpc/index.ts';
import { Migration20261121000001_tasks } from './store/migration-1.ts';
import { countWaiting } from './store/tasks.ts';

const NAME = 'tasks';

/** Tasks are written and read set-based, in SQL: there is no entity to map. */
const schema = { entities: [], migrations: [Migration20261121000001_tasks] };

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const { tokens, verifier } = await createServiceIdentity(NAME, values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createBroker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service: NAME, logger });
    const relay = createRelay({ databaseUrl: values.DATABASE_URL, broker, service: NAME, logger });
    const traders = createClient(services.traderDirectory, { address: values.TRADERS_ADDRESS, tokens });
    const context: Context = {
      database,
      verifier,
      created: meter().createCounter('tasks_created_total', { description: 'Tasks accepted' }),
      parties: createParties(traders),
      inventory: createClient(services.selectionChecks, { address: values.INVENTORY_ADDRESS, tokens }),
      accountHolders: createClient(services.accountHolderDirectory, {
        address: values.REGISTRY_IMPORT_ADDRESS,
        tokens,
      }),
    };
    const outcomes = consumeOutcomes({ database, broker, logger });
    const pickUp = createPickUp({ database, seconds: values.TASK_PICK_UP_SECONDS, logger });
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: [taskRpcs(context)],
      tokens: verifier,
      logger,
    });
    const waiting = meter().createObservableGauge('tasks_waiting', {
      description: 'Tasks that the ledger has not answered yet',
    });
    waiting.addCallback(async (result) => result.observe(await countWaiting(database.em())));
    return composeApp([database, broker, relay, outcomes, pickUp], server, [
      traders,
      context.inventory,
      context.accountHolders,
    ]);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
};
