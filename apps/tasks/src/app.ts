import {
  createLookUp,
  createReads,
  createMigration,
  openServiceDatabase,
  createPrimarySource,
} from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer, type GrpcServer } from '@saleschannel/grpc';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { composeApp, meter, type ServiceDefinition } from '@saleschannel/runtime';
import { OtherReplicas } from './consumers/other-replicas.ts';
import { consumeOutcomes } from './consumers/outcomes.ts';
import { environment } from './environment.ts';
import { createArchiveJob } from './jobs/archive.ts';
import { createRetryJob } from './jobs/retry-pending.ts';
import { createAccountHolders } from './neighbours/account-holders.ts';
import { createParties } from './neighbours/parties.ts';
import { createAnnouncer } from './store/announcements.ts';
import { Admission } from './operations/admission.ts';
import { TaskEnds, defaultPollIntervals, type PollIntervals } from './operations/task-ends.ts';
import { createRegistrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';
import { findTasks } from './store/tasks.ts';
import { countWaiting } from './store/waiting.ts';

const NAME = 'tasks';
/** Share of the connections that the consumer and the jobs use. Calls use the rest. */
const WORK_SHARE = 0.4;

/** Releases the calls that wait for tasks before the server stops, because a stopping server waits for its calls. */
const releaseWaits = (server: GrpcServer, ends: TaskEnds): GrpcServer => ({
  get address() {
    return server.address;
  },
  get healthAddress() {
    return server.healthAddress;
  },
  start: () => server.start(),
  stop() {
    ends.release();
    return server.stop();
  },
});

/** Overrides for tests. */
export interface ServiceOverrides {
  readonly pollIntervalsMs?: PollIntervals;
}

export const createService = ({ pollIntervalsMs = defaultPollIntervals }: ServiceOverrides = {}): ServiceDefinition<
  typeof environment
> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values, logger);
    const { tokens, verifier } = identity;
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE });
    const broker = createServiceBroker(NAME, values, logger);
    const relay = createServiceRelay(NAME, values, broker, logger);
    const traders = createClient('traderDirectory', { address: values.TRADERS_ADDRESS, tokens });
    const inventory = createClient('selectionCheck', { address: values.INVENTORY_ADDRESS, tokens });
    const holderDirectory = createClient('accountHolderDirectory', { address: values.REGISTRY_IMPORT_ADDRESS, tokens });
    const parties = createParties(traders);
    const created = meter().createCounter('saleschannel.tasks.created', { description: 'Accepted tasks' });
    const admission = new Admission({
      total: values.TASKS_WAITING_MAX,
      perChannel: values.TASKS_WAITING_PER_CHANNEL_MAX,
    });
    const announcer = createAnnouncer(values.LEDGER_PARTITIONS);
    const findTask = createLookUp(database, findTasks);
    const reads = createReads(createPrimarySource(database), database.poolMax);
    const checks = { verifier, parties, inventory, accountHolders: createAccountHolders(holderDirectory) };
    const ends = new TaskEnds();
    const replicas = new OtherReplicas({ broker, ends, logger });
    const waits = { findTask, ends, replicas, pollIntervalsMs };
    const context = { database, reads, announcer, created, admission, ...waits, ...checks };
    const outcomes = consumeOutcomes({ database: work, broker, ends, replicas, logger });
    const retries = createRetryJob({ database: work, announcer, seconds: values.TASK_PICK_UP_SECONDS, logger });
    const archiving = createArchiveJob({
      database: work,
      seconds: values.TASK_ARCHIVE_SECONDS,
      afterDays: values.TASK_ARCHIVE_AFTER_DAYS,
      keptMonths: values.TASK_ARCHIVE_KEPT_MONTHS,
      logger,
    });
    const server = createServiceServer(values, identity, createRegistrations(context), logger, database);
    meter()
      .createObservableGauge('saleschannel.tasks.waiting', {
        description: 'Tasks that wait for the ledger',
      })
      .addCallback(async (result) => result.observe(await countWaiting(work.em())));
    const clients = [traders, inventory, holderDirectory];
    return composeApp(
      [database, work, broker, relay, outcomes, retries, archiving],
      releaseWaits(server, ends),
      clients,
    );
  },
  migration: createMigration(schema),
});

export const service = createService();
