import {
  AvailabilityWatch,
  createReads,
  createTotalsJob,
  createMigration,
  openListSource,
  openServiceDatabase,
} from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createKeyCleanup } from '@saleschannel/idempotency';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { environment } from './environment.ts';
import { ImportWorker } from './imports/worker.ts';
import { createRegistrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';

const NAME = 'registry-import';
/** Frees imports that a replica locked in a transaction before it lost the database. */
const timeouts = { idleInTransactionMs: 10_000 };
/** Share of the connections for imports and jobs. The rest is for calls. */
const WORK_SHARE = 0.4;

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values, logger);
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE }, timeouts);
    const lists = await openListSource(values, schema, database, logger);
    const context: Context = {
      database,
      reads: createReads(lists, database.poolMax),
      ledger: createClient('ledger', { address: values.INVENTORY_ADDRESS, tokens: identity.tokens }),
      holdings: createClient('holdings', { address: values.INVENTORY_ADDRESS, tokens: identity.tokens }),
      traders: createClient('traderDirectory', { address: values.TRADERS_ADDRESS, tokens: identity.tokens }),
      rbac: createClient('bindingDirectory', { address: values.RBAC_ADDRESS, tokens: identity.tokens }),
      isSandbox: values.SANDBOX,
      logger,
      lease: { leaseMs: values.IMPORT_LEASE_MS, pollMs: values.IMPORT_POLL_MS },
      quotas: {
        bytes: values.IMPORT_BYTES_AT_MOST,
        lines: values.IMPORT_LINES_AT_MOST,
        errorsStored: values.IMPORT_ERRORS_STORED_AT_MOST,
        waitingPerKey: values.IMPORTS_WAITING_PER_KEY,
      },
      wakeWorker: () => worker.wake(),
    };
    const worker = new ImportWorker({ ...context, database: work }, (probe) => new AvailabilityWatch({ probe }));
    const server = createServiceServer(values, identity, createRegistrations(context), logger, database);
    const totals = createTotalsJob({ database: work, logger });
    const { ledger, holdings, traders, rbac } = context;
    const keys = createKeyCleanup(work, logger);
    return composeApp([database, work, lists, worker, totals, keys], server, [ledger, holdings, traders, rbac]);
  },
  migration: createMigration(schema),
};
