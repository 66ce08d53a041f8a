import {
  createReads,
  createTotalsJob,
  createMigration,
  openListSource,
  openServiceDatabase,
} from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createKeyCleanup } from '@saleschannel/idempotency';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { environment } from './environment.ts';
import { createRegistrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';

const NAME = 'traders';
/** Share of the connections for jobs. The rest is for calls. */
const WORK_SHARE = 0.2;

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values, logger);
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE });
    const rbac = createClient('bindingDirectory', { address: values.RBAC_ADDRESS, tokens: identity.tokens });
    const lists = await openListSource(values, schema, database, logger);
    const reads = createReads(lists, database.poolMax);
    const totals = createTotalsJob({ database: work, logger });
    const server = createServiceServer(
      values,
      identity,
      createRegistrations({ database, reads, rbac }),
      logger,
      database,
    );
    const keys = createKeyCleanup(work, logger);
    return composeApp([database, work, lists, totals, keys], server, [rbac]);
  },
  migration: createMigration(schema),
};
