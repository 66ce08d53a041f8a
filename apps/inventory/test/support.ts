import { randomUUID } from 'node:crypto';
import { services, type TransferRequested } from '@saleschannel/contracts';
import { createTokenVerifier } from '@saleschannel/auth';
import { openDatabase, query } from '@saleschannel/database';
import { createGrpcServer, implement, type GrpcServer, type ServiceClient } from '@saleschannel/grpc';
import { createBroker, createConsumer, type Entry, type QueueName } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import {
  asRegistry,
  asUser,
  callAs,
  eventually,
  identityVariables,
  startPublisher,
  startTestService,
  testBrokerUrl,
  testNamespace,
} from '@saleschannel/testing';
import type { TestPublisher, TestService } from '@saleschannel/testing';
import type { Issuance } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import { service } from '../src/app.ts';

type Told = Entry<'inventory.transaction.status-changed.v1' | 'inventory.transfer.reported.v1'>;

/** The ledger as its neighbours see it: over gRPC and RabbitMQ. Every trader whose id begins with the channel's belongs to it. */
export interface TestLedger {
  readonly namespace: string;
  readonly service: TestService;
  readonly publisher: TestPublisher;
  /** What the tasks service is told, and what the event log. */
  readonly heard: Told[];
  readonly logged: Told[];
  readonly gateway: ServiceClient<typeof services.inventory>;
  readonly registryGateway: ServiceClient<typeof services.ledger>;
  readonly registryImport: ServiceClient<typeof services.ledger>;
  readonly tasks: ServiceClient<typeof services.selectionChecks>;
  sql<Row extends object>(text: string, params?: unknown[]): Promise<Row[]>;
  /** Statements of one transaction, which is committed. */
  transaction(...statements: string[]): Promise<void>;
  /** Another process on the same database and queue. */
  replica(): Promise<TestService>;
  stop(): Promise<void>;
}

/** The traders service, as far as the ledger asks it. */
async function startTraders(): Promise<GrpcServer> {
  const variables = identityVariables('traders');
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tokens: createTokenVerifier(JSON.parse(variables['SERVICE_PUBLIC_KEYS'] ?? '')),
    logger: silentLogger,
    services: [
      implement(services.traderDirectory, {
        GetParties: {
          callers: ['inventory'],
          access: { principal: 'none' },
          handler: async ({ keys }) => ({
            parties: keys.filter(({ salesChannelId, traderId }) => traderId.startsWith(salesChannelId)),
          }),
        },
        FindOnboardedTraders: { callers: [], access: { principal: 'none' }, handler: async () => ({ parties: [] }) },
        SubmitProposal: { callers: [], access: { principal: 'none' }, handler: async () => ({}) },
      }),
    ],
  });
  await server.start();
  return server;
}

/** Stands for a service that reads what the ledger tells. */
async function startReader(namespace: string, queue: QueueName): Promise<{ told: Told[]; stop(): Promise<void> }> {
  const told: Told[] = [];
  const broker = createBroker({ url: testBrokerUrl(), namespace, service: 'test', logger: silentLogger });
  const handle = (entries: Entry[]): Promise<void> => Promise.resolve(void told.push(...(entries as Told[])));
  const consumer = createConsumer({
    broker,
    queue,
    prefetch: 100,
    batchEntriesAtMost: 1_000,
    logger: silentLogger,
    handle,
  });
  await broker.start();
  return { told, stop: () => consumer.stop().then(() => broker.stop()) };
}

export async function startLedger(): Promise<TestLedger> {
  const namespace = testNamespace();
  const traders = await startTraders();
  const variables = { TRADERS_ADDRESS: traders.address };
  const running = await startTestService(service, { namespace, variables });
  const replicas: TestService[] = [];
  const publisher = await startPublisher(namespace);
  const tasksReader = await startReader(namespace, 'tasks.outcomes');
  const logReader = await startReader(namespace, 'events.log');
  const gateway = await callAs('gateway', services.inventory, running.address);
  const registryGateway = await callAs('gateway', services.ledger, running.address);
  const registryImport = await callAs('registry-import', services.ledger, running.address);
  const tasks = await callAs('tasks', services.selectionChecks, running.address);
  const database = await openDatabase({
    url: running.databaseUrl,
    poolMax: 2,
    entities: [],
    migrations: [],
    logger: silentLogger,
  });
  return {
    namespace,
    service: running,
    publisher,
    heard: tasksReader.told,
    logged: logReader.told,
    gateway,
    registryGateway,
    registryImport,
    tasks,
    sql: (text, params) => query(database.em(), text, params),
    transaction: (...statements) =>
      database.transaction(async (em) => {
        for (const statement of statements) await query(em, statement);
      }),
    async replica() {
      const replica = await startTestService(service, { namespace, variables, databaseUrl: running.databaseUrl });
      replicas.push(replica);
      return replica;
    },
    async stop() {
      for (const client of [gateway, registryGateway, registryImport, tasks]) client.close();
      for (const part of [tasksReader, logReader, publisher, ...replicas]) await part.stop();
      await database.close();
      await running.stop();
      await traders.stop();
    },
  };
}

export const FACILITY = 'FAC001';

export async function putFacility(ledger: TestLedger, code = FACILITY): Promise<void> {
  const facility = {
    code,
    name: 'Northern Biochar',
    country: 'NA',
    methodologyCodes: ['C03000000'],
    supplier: 'Northern Carbon',
  };
  await ledger.registryImport.ApplyFacilities({ facilities: [facility] }, await asRegistry());
}

/** An issuance of an account holder, not listed anywhere. */
export const issuanceOf = (
  accountHolderId: string,
  fields: Partial<Issuance> = {},
): Issuance & { issuanceId: string } => ({
  issuanceId: randomUUID(),
  productionFacilityCode: FACILITY,
  standard: 'PURO',
  registry: 'PR',
  creditType: 'CORC_100+',
  creditTypeId: 'CORC_100_PLUS',
  methodologyCode: 'C03000000',
  vintage: 2024,
  productionStartDate: '2024-01-01T00:00:00.000Z',
  productionEndDate: '2024-12-31T00:00:00.000Z',
  issuingDate: '2025-02-01T00:00:00.000Z',
  firstSerial: '1',
  lastSerial: '10',
  accountHolderId,
  ...fields,
});

export async function applyIssuances(ledger: TestLedger, issuances: Issuance[]) {
  return (await ledger.registryImport.ApplyIssuances({ issuances }, await asRegistry())).results;
}

/** An issuance that is listed at once for a trader of the channel; returns its id. */
export async function issue(
  ledger: TestLedger,
  salesChannelId: string,
  traderId: string,
  firstSerial = '1',
  lastSerial = '10',
): Promise<string> {
  const issuance = issuanceOf(`holder-of-${traderId}`, { firstSerial, lastSerial, salesChannelId, traderId });
  const results = await applyIssuances(ledger, [issuance]);
  if (results[0]?.outcome !== 'CREATED') throw new Error(JSON.stringify(results));
  return issuance.issuanceId;
}

/** Lets the certificates of an issuance expire, which nobody else can do but time. */
export const expire = (ledger: TestLedger, issuanceId: string): Promise<void> =>
  ledger.transaction(
    'alter table issuance disable trigger issuance_append_only',
    `update issuance set expiration_date = now() where id = '${issuanceId}'`,
    'alter table issuance enable trigger issuance_append_only',
  );

/** `[issuance id, first serial, last serial]` */
export type Part = readonly [issuanceId: string, first: string | number, last: string | number];

export const selectionOf = ([issuanceId, first, last]: Part): { start: string; end: string } => ({
  start: `${issuanceId}_${first}`,
  end: `${issuanceId}_${last}`,
});

export const tradeOf = (
  sellerId: string,
  buyerId: string,
  parts: readonly Part[],
  fields: Partial<TransferRequested> = {},
): TransferRequested => ({
  taskId: newId(),
  salesChannelId: channelOf(sellerId),
  type: 'TRADE',
  sellerId,
  sellerAccountHolderId: `holder-of-${sellerId}`,
  buyerId,
  autoApproval: true,
  currency: 'EUR',
  retirement: null,
  assets: parts.map((part) => ({ ...selectionOf(part), unitPrice: '12.5' })),
  traceparent: '',
  ...fields,
});

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

const unpriced = (parts: readonly Part[]) => parts.map((part) => ({ ...selectionOf(part), unitPrice: null }));

export const retirementOf = (
  sellerId: string,
  parts: readonly Part[],
  fields: Partial<TransferRequested> = {},
): TransferRequested =>
  tradeOf(sellerId, '', parts, {
    type: 'RETIREMENT',
    buyerId: null,
    currency: null,
    retirement: RETIREMENT,
    assets: unpriced(parts),
    ...fields,
  });

export const offrampOf = (
  sellerId: string,
  parts: readonly Part[],
  fields: Partial<TransferRequested> = {},
): TransferRequested =>
  tradeOf(sellerId, '', parts, { type: 'OFFRAMP', buyerId: null, currency: null, assets: unpriced(parts), ...fields });

/** Trader ids of these tests begin with their channel's: `c1-seller`. */
export const channelOf = (traderId: string): string => traderId.slice(0, traderId.indexOf('-'));

let channels = 0;
/** A channel of a test's own. */
export const newChannel = (): string => `c${++channels}`;

/** What the ledger told of a task: the `count`th thing, from 1. */
export const answerTo = (ledger: TestLedger, taskId: string, count = 1): Promise<Told> =>
  eventually(
    () => Promise.resolve(ledger.heard.filter((entry) => entry.event.taskId === taskId)[count - 1]),
    `answer ${count} to task ${taskId}`,
  );

export interface Outcome {
  said: string;
  transactionId: string;
  reason: string | null;
}

export const outcomeOf = ({ event }: Told): Outcome => ({
  said: 'outcome' in event ? event.outcome : event.status,
  transactionId: event.transactionId ?? '',
  reason: event.reason,
});

/** Asks for a transfer, and waits for what the ledger says. */
export async function settle(ledger: TestLedger, request: TransferRequested): Promise<Outcome> {
  await ledger.publisher.publish('tasks.transfer.requested.v1', [request]);
  return outcomeOf(await answerTo(ledger, request.taskId));
}

export async function decide(
  ledger: TestLedger,
  transactionId: string,
  decision: 'APPROVE' | 'REJECT',
): Promise<{ status: string }> {
  const { data } = await ledger.registryGateway.DecideTransaction({ transactionId, decision }, await asRegistry());
  return JSON.parse(data.toString()) as { status: string };
}

export interface Listed {
  issuanceId: string;
  start: string;
  end: string;
  volume: number;
  certificates: string;
  expirationDate: string | null;
}

export async function jsonOf<T>(stream: AsyncIterable<{ data: Buffer }>): Promise<T> {
  const parts: Buffer[] = [];
  for await (const { data } of stream) parts.push(data);
  return JSON.parse(Buffer.concat(parts).toString()) as T;
}

export const listInventory = async (
  ledger: TestLedger,
  traderId: string,
  salesChannelId = channelOf(traderId),
): Promise<Listed[]> =>
  jsonOf<Listed[]>(ledger.gateway.ListInventory({ traderId }, await asUser(salesChannelId, ['ASSET_VIEWER'])));

const serialOf = (certificate: string): string => certificate.slice(certificate.lastIndexOf('_') + 1);

/** The listable bundles of a trader, as `first-last`, of one issuance or of all. */
export const rangesOf = async (ledger: TestLedger, traderId: string, issuanceId?: string): Promise<string[]> =>
  (await listInventory(ledger, traderId))
    .filter((bundle) => issuanceId === undefined || bundle.issuanceId === issuanceId)
    .map(({ start, end }) => `${serialOf(start)}-${serialOf(end)}`);
