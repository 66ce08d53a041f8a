import type { Role } from '@saleschannel/auth';
import { services, type IntegrationEvent, type TransferRequested } from '@saleschannel/contracts';
import { openDatabase, query, type Database } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import { createBroker, createConsumer } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import {
  asUser,
  callAs,
  eventually,
  startPublisher,
  startTestService,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
  type TestService,
} from '@saleschannel/testing';
import type { StartTransfer } from '@saleschannel/contracts/gen/tasks/v1/StartTransfer';
import type { StartTransferResult__Output } from '@saleschannel/contracts/gen/tasks/v1/StartTransferResult';
import type { Task__Output } from '@saleschannel/contracts/gen/tasks/v1/Task';
import { service } from '../src/app.ts';
import { startNeighbours, type Neighbours } from './neighbours.ts';

export const STATUS_CHANGED = 'inventory.transaction.status-changed.v1';
export const REPORTED = 'inventory.transfer.reported.v1';

export interface TestTasks {
  readonly service: TestService;
  readonly neighbours: Neighbours;
  readonly namespace: string;
  readonly client: ServiceClient<typeof services.tasks>;
  /** A connection to the database of its own. */
  readonly database: Database;
  /** What the ledger is asked for. */
  readonly announced: TransferRequested[];
  readonly publisher: TestPublisher;
  sql<Row extends object>(text: string, params?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startTasks(): Promise<TestTasks> {
  const namespace = testNamespace();
  const neighbours = await startNeighbours();
  const running = await startTestService(service, { namespace, variables: neighbours.variables });
  const announced: TransferRequested[] = [];
  const broker = createBroker({ url: testBrokerUrl(), namespace, service: 'inventory', logger: silentLogger });
  const handle = (entries: { event: TransferRequested }[]): Promise<void> =>
    Promise.resolve(void announced.push(...entries.map(({ event }) => event)));
  const ledger = createConsumer({
    broker,
    queue: 'inventory.transfers',
    prefetch: 50,
    batchEntriesAtMost: 100,
    logger: silentLogger,
    handle,
  });
  await broker.start();
  const publisher = await startPublisher(namespace);
  const client = await callAs('gateway', services.tasks, running.address);
  const database = await openDatabase({
    url: running.databaseUrl,
    poolMax: 4,
    entities: [],
    migrations: [],
    logger: silentLogger,
  });
  return {
    service: running,
    neighbours,
    namespace,
    client,
    database,
    announced,
    publisher,
    sql: (text, params) => query(database.em(), text, params),
    async stop() {
      client.close();
      await publisher.stop();
      await ledger.stop();
      await broker.stop();
      await database.close();
      await running.stop();
      await neighbours.stop();
    },
  };
}

export const ISSUANCE = '7b0c6a52-5c1e-4f0a-9d53-2d7b1e6f0a11';

let channels = 0;
export interface Scene {
  channel: string;
  seller: string;
  buyer: string;
  /** Onboarded by proposal, with its account holder behind it. */
  onboarded: string;
  holder: string;
}

/** A channel of a test's own, with three traders. */
export function newScene({ neighbours }: TestTasks): Scene {
  const channel = `c${++channels}`;
  const scene = {
    channel,
    seller: `${channel}-seller`,
    buyer: `${channel}-buyer`,
    onboarded: `${channel}-onboarded`,
    holder: `holder-of-${channel}`,
  };
  for (const trader of [scene.seller, scene.buyer]) neighbours.traders.set(trader, undefined);
  neighbours.traders.set(scene.onboarded, scene.holder);
  return scene;
}

type Fields = Partial<Omit<StartTransfer, 'principalToken'>> & { roles?: Role[]; salesChannelId?: string | undefined };

const range = (first: number, last: number) => ({ start: `${ISSUANCE}_${first}`, end: `${ISSUANCE}_${last}` });

async function requestOf(scene: Scene, role: Role, own: StartTransfer, fields: Fields): Promise<StartTransfer> {
  const { roles, ...rest } = fields;
  const salesChannelId = 'salesChannelId' in rest ? rest.salesChannelId : scene.channel;
  delete rest.salesChannelId;
  const { principalToken } = await asUser(salesChannelId, roles ?? [role]);
  const request: StartTransfer = { principalToken, idempotencyKey: newId(), traceparent: '', ...own, ...rest };
  // A field that a test takes away is absent, not empty.
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as StartTransfer;
}

export const trade = (scene: Scene, fields: Fields = {}): Promise<StartTransfer> =>
  requestOf(
    scene,
    'TRANSACTION_ADMINISTRATOR',
    {
      operation: 'TRADE',
      traderId: scene.seller,
      buyerId: scene.buyer,
      currency: 'EUR',
      assets: [{ ...range(1, 5), unitPrice: '12.5' }],
    },
    fields,
  );

export const RETIREMENT = {
  beneficiaryName: 'Ada',
  beneficiaryLocation: 'London',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'GB',
  usageType: 'DISCLOSURE',
  consumptionPeriodStart: '2024-01-01T00:00:00Z',
  consumptionPeriodEnd: '2024-12-31T00:00:00Z',
  retirementPurpose: 'Travel',
};

export const retirement = (scene: Scene, fields: Fields = {}): Promise<StartTransfer> =>
  requestOf(
    scene,
    'TRANSACTION_ADMINISTRATOR',
    { operation: 'RETIREMENT', traderId: scene.seller, assets: [range(1, 5)], retirement: RETIREMENT },
    fields,
  );

export const offramp = (scene: Scene, fields: Fields = {}): Promise<StartTransfer> =>
  requestOf(
    scene,
    'ASSET_OFFRAMPER',
    { operation: 'OFFRAMP', traderId: scene.onboarded, assets: [range(1, 5)] },
    fields,
  );

export const startAll = async (tasks: TestTasks, transfers: StartTransfer[]): Promise<StartTransferResult__Output[]> =>
  (await tasks.client.StartTransfers({ transfers })).results;

export interface Refusal {
  code: string;
  detail: string;
  violations: string[];
}

export const refusalOf = ({ problem }: StartTransferResult__Output): Refusal => {
  if (!problem) throw new Error('the request was accepted');
  const violations = JSON.parse(problem.violationsJson) as { pointer?: string; parameter?: string; code: string }[];
  return {
    code: problem.code,
    detail: problem.detail,
    violations: violations.map(({ pointer, parameter, code }) => `${pointer ?? parameter} ${code}`),
  };
};

export async function start(
  tasks: TestTasks,
  transfer: StartTransfer,
): Promise<{ task: Task__Output; replayed: boolean }> {
  const [result] = await startAll(tasks, [transfer]);
  if (!result?.task) throw new Error(JSON.stringify(result));
  return { task: result.task, replayed: result.replayed };
}

export async function refused(tasks: TestTasks, transfer: StartTransfer): Promise<Refusal> {
  const [result] = await startAll(tasks, [transfer]);
  return refusalOf(result as StartTransferResult__Output);
}

export const announcementOf = (tasks: TestTasks, taskId: string): Promise<TransferRequested> =>
  eventually(
    () => Promise.resolve(tasks.announced.find((request) => request.taskId === taskId)),
    `an announcement of ${taskId}`,
  );

const roleFor = {
  TRADE: 'TRANSACTION_ADMINISTRATOR',
  RETIREMENT: 'TRANSACTION_ADMINISTRATOR',
  OFFRAMP: 'ASSET_OFFRAMPER',
} as const;

export const poll = async (
  tasks: TestTasks,
  salesChannelId: string,
  operation: keyof typeof roleFor,
  traderId: string,
  taskId: string,
): Promise<Task__Output> =>
  tasks.client.GetTask({ operation, traderId, taskId }, await asUser(salesChannelId, [roleFor[operation]]));

export const statusChange = (
  taskId: string,
  status: 'SUCCESS' | 'REJECTED' | 'FAILED',
  fields: { reason?: string; transactionId?: string } = {},
): IntegrationEvent<typeof STATUS_CHANGED> => ({
  eventId: newId(),
  salesChannelId: 'c',
  transactionId: fields.transactionId ?? 'tx',
  taskId,
  status,
  reason: fields.reason ?? null,
  effectiveAt: '2025-01-01T00:00:00.000Z',
  traceparent: '',
});

export const report = (
  taskId: string,
  outcome: IntegrationEvent<typeof REPORTED>['outcome'],
  fields: { reason?: string; transactionId?: string | null } = {},
): IntegrationEvent<typeof REPORTED> => ({
  taskId,
  outcome,
  transactionId: fields.transactionId === undefined ? 'tx' : fields.transactionId,
  reason: fields.reason ?? null,
  traceparent: '',
});
