import {
  createLookUp,
  createReads,
  createTotalsJob,
  createMigration,
  openListSource,
  openServiceDatabase,
} from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createKeyCleanup } from '@saleschannel/idempotency';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { systemClock as clock } from '@saleschannel/primitives';
import { composeApp, FairShare, type ServiceDefinition } from '@saleschannel/runtime';
import { consumeTransfers } from './consumers/transfers.ts';
import { environment } from './environment.ts';
import { LedgerShare } from './jobs/ledger-share.ts';
import { createReconciliationJob } from './jobs/reconcile.ts';
import { removeExpiredFromTotals } from './store/expiry.ts';
import { createRegistrations } from './rpc/index.ts';
import { StatementSigner } from './domain/statement.ts';
import { schema } from './store/schema.ts';
import { findTransactionsByKey } from './store/transaction-views.ts';
import {
  createChannelNameLookUp,
  createHolderNameLookUp,
  createRegistryNameLookUp,
  createTraderCheck,
  createTraderNameLookUp,
  createHolderTraderLookUp,
  createSuspensionCheck,
} from './neighbours/parties.ts';
import { createStatusConsumer, Reconciler } from './operations/reconcile.ts';

const NAME = 'inventory';
/** Share of the connections for consumers and jobs. Calls use the others. */
const WORK_SHARE = 0.5;
/** Reconciliation holds one, and the ledger share uses one every two seconds. */
const JOB_CONNECTIONS = 2;

/**
 * Runs one batch per queue at a time, so that later transfers share the next one. Jobs keep their connections, because
 * a replica that cannot announce itself loses its partitions.
 */
const createShare = (poolMax: number): FairShare =>
  new FairShare({
    maxConcurrent: Math.max(1, poolMax - JOB_CONNECTIONS),
    maxConcurrentPerOwner: 1,
    maxQueuedPerOwner: 1,
    refusal: () => new Error('the queue already has a batch'),
  });

export const service: ServiceDefinition<typeof environment> = {
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values, logger);
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE });
    const broker = createServiceBroker(NAME, values, logger);
    const relay = createServiceRelay(NAME, values, broker, logger);
    const partitionReady = (): void => ledgerShare.consumerReady();
    const share = createShare(work.poolMax);
    const transfers = consumeTransfers({ database: work, share, clock, broker, partitionReady, logger });
    const ledgerShare: LedgerShare = new LedgerShare({ database: work, consumers: transfers.partitions, logger });
    const { tokens } = identity;
    const traders = createClient('traderDirectory', { address: values.TRADERS_ADDRESS, tokens });
    const rbac = createClient('bindingDirectory', { address: values.RBAC_ADDRESS, tokens });
    const registryImport = { address: values.REGISTRY_IMPORT_ADDRESS, tokens };
    const accountHolders = createClient('accountHolderDirectory', registryImport);
    const tasks = createClient('ledgerProgress', { address: values.TASKS_ADDRESS, receiver: 'tasks', tokens });
    const events = createClient('ledgerProgress', { address: values.EVENTS_ADDRESS, receiver: 'events', tokens });
    const consumers = [createStatusConsumer('tasks', tasks), createStatusConsumer('events', events)];
    const reconciler = new Reconciler({
      database: work,
      clock,
      consumers,
      graceSeconds: values.RECONCILE_GRACE_SECONDS,
    });
    const reconciliation = createReconciliationJob({ reconciler, seconds: values.RECONCILE_SECONDS, logger });
    const findSuspension = createSuspensionCheck({ rbac, accountHolders, traders });
    const lists = await openListSource(values, schema, database, logger);
    const reads = createReads(lists, database.poolMax);
    const totals = createTotalsJob({ database: work, logger, also: (signal) => removeExpiredFromTotals(work, signal) });
    const findTransactionOfChannel = createLookUp(database, findTransactionsByKey);
    const parties = {
      isTrader: createTraderCheck(traders),
      findTraderNames: createTraderNameLookUp(traders),
      findSuspension,
    };
    const holders = {
      findTradersOfHolder: createHolderTraderLookUp(traders),
      findNamesForHolder: createHolderNameLookUp({ rbac, accountHolders, traders }),
    };
    const naming = {
      findNamesForChannel: createChannelNameLookUp(traders),
      findNamesForRegistry: createRegistryNameLookUp({ accountHolders, traders }),
    };
    const signer = await StatementSigner.create(values.STATEMENT_KEYS);
    const statements = { signer, isSandbox: values.SANDBOX };
    const context = {
      database,
      reads,
      findTransactionOfChannel,
      clock,
      ...parties,
      ...holders,
      ...naming,
      reconciler,
      ...statements,
    };
    const server = createServiceServer(values, identity, createRegistrations(context), logger, database);
    const clients = [traders, rbac, accountHolders, tasks, events];
    // Stops in reverse order: calls, then messages, then the outbox, then connections.
    const consuming = [...transfers.partitions.values(), transfers.unpartitioned, ledgerShare];
    const jobs = [reconciliation, totals, createKeyCleanup(work, logger)];
    return composeApp([database, work, lists, broker, relay, ...consuming, ...jobs], server, clients);
  },
  migration: createMigration(schema),
};
