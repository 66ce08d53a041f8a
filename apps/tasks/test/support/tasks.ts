import type { TransferRequested, TransferType, TransferWithdrawn } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { ReplyOf, ServiceClient } from '@saleschannel/grpc';
import { Broker, Consumer, queuesOfFamily, type LedgerQueue } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import {
  alwaysAvailable,
  asUser,
  removeMarkers,
  callAs,
  collect,
  eventually,
  openTestDatabase,
  toRuntimeUrl,
  startPublisher,
  startTestService,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
  type TestService,
} from '@saleschannel/testing';
import { createService, type ServiceOverrides } from '../../src/app.ts';
import { schema } from '../../src/store/schema.ts';
import { startNeighbours, type Neighbours } from './neighbours.ts';
import type { Scene, StartTransfer } from './requests.ts';

export type Task = ReplyOf<'tasks.GetTask'>;
type StartResult = ReplyOf<'tasks.StartTransfers'>['results'][number];

export type Progress = ReplyOf<'ledgerProgress.GetLedgerProgress'>['channels'][number];

export interface Refusal {
  readonly code: string;
  readonly detail: string;
  /** Location and code of each violation. */
  readonly violations: string[];
}

export interface Tasks {
  readonly service: TestService;
  readonly neighbours: Neighbours;
  readonly namespace: string;
  readonly gateway: ServiceClient<'tasks'>;
  /** Reads the ledger progress of a channel. */
  progress(salesChannelId: string): Promise<Progress | undefined>;
  /** A separate database connection, for operations that tests run themselves. */
  readonly database: Database;
  /** Announcements that the ledger received. */
  readonly announced: TransferRequested[];
  /** Withdrawals that the ledger received. */
  readonly withdrawn: TransferWithdrawn[];
  readonly publisher: TestPublisher;
  newScene(): Scene;
  /** Starts another replica. Stop it before this one. */
  startReplica(): Promise<Pick<Tasks, 'gateway' | 'startAll' | 'stop'>>;
  startAll(transfers: StartTransfer[]): Promise<StartResult[]>;
  start(transfer: StartTransfer): Promise<{ task: Task; replayed: boolean }>;
  /** Starts a transfer that must be refused. */
  startRefused(transfer: StartTransfer): Promise<Refusal>;
  get(salesChannelId: string, type: TransferType, traderId: string, taskId: string): Promise<Task>;
  /** Waits for the announcement of a task. */
  waitForAnnouncement(taskId: string): Promise<TransferRequested>;
  /** Number of announcements of a task. */
  countAnnouncements(taskId: string): number;
  /** Number of tasks, in total or with a key. */
  count(idempotencyKey?: string): Promise<number>;
  stop(): Promise<void>;
}

const roleFor = {
  TRADE: 'TRANSACTION_ADMINISTRATOR',
  RETIREMENT: 'TRANSACTION_ADMINISTRATOR',
  OFFRAMP: 'ASSET_OFFRAMPER',
} as const;

export const messageTypes = {
  TRADE: 'TRANSFER_TYPE_TRADE',
  RETIREMENT: 'TRANSFER_TYPE_RETIREMENT',
  OFFRAMP: 'TRANSFER_TYPE_OFFRAMP',
} as const;

/** Consumes the announcements instead of the ledger. */
async function startLedger(
  namespace: string,
  { announced, withdrawn }: Pick<Tasks, 'announced' | 'withdrawn'>,
): Promise<() => Promise<void>> {
  const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'inventory', logger: silentLogger });
  const consumers = queuesOfFamily('inventory.transfers').map(
    (queue) =>
      new Consumer<LedgerQueue>({
        broker,
        availability: alwaysAvailable,
        queue: queue as LedgerQueue,
        prefetch: 50,
        maxBatchEntries: 100,
        logger: silentLogger,
        async handle(entries) {
          for (const entry of entries) {
            if (entry.type === 'tasks.transfer.requested.v1') announced.push(entry.event);
            else withdrawn.push(entry.event);
          }
        },
      }),
  );
  await broker.start();
  return async () => {
    for (const consumer of consumers) await consumer.stop();
    await broker.stop();
  };
}

/** Intervals of jobs, so long that the service runs none during a test. */
const PICK_UP_SECONDS = 3_600;
const ARCHIVE_SECONDS = 3_600;

/** Without a ledger, all announcements stay in the outbox. */
export async function startTasks(
  options: { variables?: Record<string, string>; hasLedger?: boolean; parts?: ServiceOverrides } = {},
): Promise<Tasks> {
  const namespace = testNamespace();
  const service = createService(options.parts);
  const neighbours = await startNeighbours();
  const jobs = { TASK_PICK_UP_SECONDS: String(PICK_UP_SECONDS), TASK_ARCHIVE_SECONDS: String(ARCHIVE_SECONDS) };
  const variables = { ...jobs, ...neighbours.variables, ...options.variables };
  const running = await startTestService(service, { namespace, variables });
  const [announced, withdrawn]: [TransferRequested[], TransferWithdrawn[]] = [[], []];
  const stopLedger =
    options.hasLedger === false ? async () => undefined : await startLedger(namespace, { announced, withdrawn });
  const publisher = await startPublisher(namespace);
  const gateway = await callAs('gateway', 'tasks', running.address);
  const inventory = await callAs('inventory', 'ledgerProgress', running.address, 'tasks');
  const database = await openTestDatabase({
    url: toRuntimeUrl(running.databaseUrl),
    poolMax: 4,
    ...schema,
  });
  let channels = 0;
  const tasks: Tasks = {
    service: running,
    neighbours,
    namespace,
    gateway,
    async progress(salesChannelId) {
      const messages = await collect(inventory.GetLedgerProgress({ salesChannelId }));
      return messages.flatMap(({ channels }) => channels)[0];
    },
    database,
    announced,
    withdrawn,
    publisher,
    newScene() {
      const scene = createScene(`c${++channels}`);
      for (const trader of [scene.seller, scene.buyer]) neighbours.traders.set(trader, undefined);
      neighbours.traders.set(scene.onboarded, scene.holder);
      return scene;
    },
    async startReplica() {
      const replica = await startTestService(service, { namespace, variables, databaseUrl: running.databaseUrl });
      const client = await callAs('gateway', 'tasks', replica.address);
      return {
        gateway: client,
        startAll: async (transfers) => removeMarkers((await client.StartTransfers({ transfers })).results),
        async stop() {
          client.close();
          await replica.stop();
        },
      };
    },
    startAll: async (transfers) => removeMarkers((await gateway.StartTransfers({ transfers })).results),
    async start(transfer) {
      const [result] = await tasks.startAll([transfer]);
      if (!result?.task) throw new Error(JSON.stringify(result));
      return { task: result.task, replayed: result.replayed };
    },
    async startRefused(transfer) {
      const [result] = await tasks.startAll([transfer]);
      return toRefusal(result);
    },
    async get(salesChannelId, type, traderId, taskId) {
      const request = { type: messageTypes[type], traderId, taskId };
      return removeMarkers(await gateway.GetTask(request, await asUser(salesChannelId, [roleFor[type]])));
    },
    waitForAnnouncement: (taskId) =>
      eventually(
        () => Promise.resolve(announced.find((request) => request.taskId === taskId)),
        `an announcement of ${taskId}`,
      ),
    countAnnouncements: (taskId) => announced.filter((request) => request.taskId === taskId).length,
    async count(idempotencyKey) {
      const rows = await running.sql('select 1 from task where idempotency_key = coalesce($1, idempotency_key)', [
        idempotencyKey,
      ]);
      return rows.length;
    },
    async stop() {
      gateway.close();
      inventory.close();
      await publisher.stop();
      await stopLedger();
      await database.stop();
      await running.stop();
      await neighbours.stop();
    },
  };
  return tasks;
}

const createScene = (channel: string): Scene => ({
  channel,
  seller: `${channel}-seller`,
  buyer: `${channel}-buyer`,
  onboarded: `${channel}-onboarded`,
  holder: `holder-of-${channel}`,
});

/** Extracts the problem of a refused transfer. */
export function toRefusal(result: StartResult | undefined): Refusal {
  if (!result?.problem) throw new Error('the transfer was not refused');
  const { code, detail, violations } = result.problem;
  return {
    code,
    detail,
    violations: violations.map((violation) => `${violation.pointer ?? violation.parameter} ${violation.code}`),
  };
}
