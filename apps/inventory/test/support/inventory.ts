import type { TransferRequested } from '@saleschannel/contracts';
import type { ReplyOf, ServiceClient } from '@saleschannel/grpc';
import type { EntryOf } from '@saleschannel/messaging';
import {
  asRegistry,
  asUser,
  removeMarkers,
  callAs,
  eventually,
  identityVariables,
  neighbour,
  toRuntimeUrl,
  startNeighbours,
  startPublisher,
  startTestService,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';
import { startFakeConsumer, type FakeConsumer, startReader } from './consumers.ts';
import { facility, createIssuance, type Facility, type Issuance } from './issuances.ts';
import { startReplicaProcess, type ReplicaProcess } from './replica-process.ts';
import { channelOf, holderOf, nameOf } from './transfers.ts';
import { createStatementKeys } from './statements.ts';

type Result = ReplyOf<'ledger.ApplyIssuances'>['results'][number];
type Report = EntryOf<'tasks.outcomes'>;

/** Outcome of a task, as the ledger reports it. */
export interface Outcome {
  readonly outcome: string;
  readonly transactionId: string | null;
  readonly reason: string | null;
}

/** A bundle as a sales channel sees it. */
export interface Listed {
  readonly issuanceId: string;
  readonly start: string;
  readonly end: string;
  readonly volume: number;
  readonly certificates: string;
  readonly expirationDate: string | null;
}

/** A new sales channel with two traders. */
export interface Scene {
  readonly channel: string;
  readonly seller: string;
  readonly buyer: string;
  /** Another trader of the channel. */
  trader(name: string): string;
  /** Creates an issuance that is listed for the seller. Returns its id. */
  issue(first?: string, last?: string): Promise<string>;
}

/**
 * The ledger over gRPC and RabbitMQ. A trader whose id begins with the id of a channel belongs to that channel. There
 * is one production facility.
 */
export interface Inventory {
  readonly namespace: string;
  /** Suspended sales channels and account holders. */
  readonly suspended: Set<string>;
  readonly service: TestService;
  readonly publisher: TestPublisher;
  /** Entries for the tasks service. */
  readonly reports: readonly Report[];
  /** Entries for the event log. */
  readonly logEntries: readonly EntryOf<'events.log'>[];
  readonly gateway: ServiceClient<'inventory'>;
  readonly holders: ServiceClient<'holdings'>;
  /** The same for calls of the import service. */
  readonly holdersImport: ServiceClient<'holdings'>;
  /** Account holders of traders that {@link describeHolder} does not name, by trader id. */
  readonly onboarded: Map<string, string>;
  /** Trader ids of each look-up of names. */
  readonly nameLookUps: readonly (readonly string[])[];
  readonly registryGateway: ServiceClient<'ledger'>;
  readonly registryImport: ServiceClient<'ledger'>;
  readonly tasks: ServiceClient<'selectionCheck'>;
  readonly register: ServiceClient<'publicRegister'>;
  readonly admin: ServiceClient<'reconciliation'>;
  /** Fakes of the services that apply changes of status. At first they have applied none. */
  readonly consumers: { readonly tasks: FakeConsumer; readonly events: FakeConsumer };
  scene(): Scene;
  applyFacilities(...facilities: Facility[]): Promise<Result[]>;
  applyIssuances(...issuances: Issuance[]): Promise<Result[]>;
  /** Creates an issuance that is listed for a trader of the channel. Returns its id. */
  issue(salesChannelId: string, traderId: string, first?: string, last?: string): Promise<string>;
  /** Makes an issuance expire now. */
  expire(issuanceId: string): Promise<void>;
  publish(...requests: TransferRequested[]): Promise<void>;
  /** Waits for the `count`th report about a task, from 1. */
  waitForReport(taskId: string, count?: number): Promise<Outcome>;
  /** Reports about a task so far. */
  listReports(taskId: string): Report[];
  /** Requests a transfer and waits for its outcome. */
  settle(request: TransferRequested): Promise<Outcome>;
  /** Requests a transfer that succeeds or is reserved. Returns the id of its transaction. */
  settleTransaction(request: TransferRequested): Promise<string>;
  approve(transactionId: string): Promise<{ status: string }>;
  reject(transactionId: string): Promise<{ status: string }>;
  /** The listable bundles of a trader. */
  list(traderId: string, salesChannelId?: string): Promise<Listed[]>;
  /** The listable bundles of a trader as `first-last`, of one issuance or of all. */
  listRanges(traderId: string, issuanceId?: string): Promise<string[]>;
  /** Runs statements in one database transaction. */
  transaction(...statements: string[]): Promise<void>;
  /** Starts another replica in this process. */
  replica(): Promise<TestService>;
  /** Starts another replica as a process. */
  replicaProcess(): Promise<ReplicaProcess>;
  stop(): Promise<void>;
}

/** Starts fakes of the services that own traders, sales channels and account holders. */
const startOthers = (
  suspended: ReadonlySet<string>,
  onboarded: ReadonlyMap<string, string>,
  described: (readonly string[])[],
) => {
  const accountHolderOf = (traderId: string): string => onboarded.get(traderId) ?? holderOf(traderId);
  const findKnown = <Key extends { salesChannelId: string; traderId: string }>(keys: readonly Key[]) =>
    keys
      .filter(({ salesChannelId, traderId }) => traderId.startsWith(salesChannelId))
      .map((key) => ({ ...key, accountHolderId: accountHolderOf(key.traderId) }));
  const statusOf = (id: string): string => (suspended.has(id) ? 'SUSPENDED' : 'ACTIVE');
  return startNeighbours(
    neighbour('traderDirectory', ['inventory'], {
      async GetParties({ keys }) {
        return { parties: findKnown(keys) };
      },
      async DescribeParties({ keys }) {
        described.push(keys.map(({ traderId }) => traderId));
        return { parties: findKnown(keys).map((party) => ({ ...party, name: nameOf(party.traderId) })) };
      },
      async FindTradersOfHolder({ accountHolderId }) {
        const [, ownId] = /^holder-of-(.*)$/.exec(accountHolderId) ?? [];
        const traderIds = [...(ownId === undefined ? [] : [ownId]), ...onboarded.keys()];
        const keys = [...new Set(traderIds)].map((traderId) => ({ salesChannelId: channelOf(traderId), traderId }));
        return { parties: findKnown(keys).filter((party) => party.accountHolderId === accountHolderId) };
      },
    }),
    neighbour('bindingDirectory', ['inventory'], {
      async GetSalesChannels({ salesChannelIds }) {
        return { salesChannels: salesChannelIds.map((id) => ({ id, name: `Channel ${id}`, status: statusOf(id) })) };
      },
    }),
    neighbour('accountHolderDirectory', ['inventory'], {
      async GetAccountHolders({ accountHolderIds }) {
        const found = accountHolderIds.map((accountHolderId) => ({
          accountHolderId,
          name: `Holder ${accountHolderId}`,
          status: statusOf(accountHolderId),
        }));
        return { accountHolders: found };
      },
    }),
  );
};

export const toOutcome = ({ type, event }: Report): Outcome => ({
  outcome: type === 'inventory.transfer.reported.v1' ? event.outcome : event.status,
  transactionId: event.transactionId,
  reason: event.reason,
});

/** Joins the text of a stream. */
export async function readText(pieces: AsyncIterable<{ data: Buffer }>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const { data } of pieces) parts.push(data);
  return Buffer.concat(parts).toString();
}

/** Parses the JSON document of a stream. */
export const readJson = async <T>(pieces: AsyncIterable<{ data: Buffer }>): Promise<T> =>
  JSON.parse(await readText(pieces)) as T;

const serialOf = (certificate: string): string => certificate.slice(certificate.lastIndexOf('_') + 1);

/** Starts the service with fakes of its neighbours, and clients. */
async function startAll(extraVariables: Record<string, string>) {
  const namespace = testNamespace();
  const suspended = new Set<string>();
  const onboarded = new Map<string, string>();
  const described: (readonly string[])[] = [];
  const others = await startOthers(suspended, onboarded, described);
  const { address } = others;
  const consumers = { tasks: await startFakeConsumer(), events: await startFakeConsumer() };
  const variables = {
    TRADERS_ADDRESS: address,
    RBAC_ADDRESS: address,
    REGISTRY_IMPORT_ADDRESS: address,
    TASKS_ADDRESS: consumers.tasks.address,
    EVENTS_ADDRESS: consumers.events.address,
    // Only on request, because the fake consumers lack all changes.
    RECONCILE_SECONDS: '86400',
    STATEMENT_KEYS: await createStatementKeys(),
    ...extraVariables,
  };
  const running = await startTestService(service, { namespace, variables });
  const publisher = await startPublisher(namespace);
  const tasksReader = await startReader(namespace, 'tasks.outcomes');
  const logReader = await startReader(namespace, 'events.log');
  const clients = {
    gateway: await callAs('gateway', 'inventory', running.address),
    holders: await callAs('gateway', 'holdings', running.address),
    holdersImport: await callAs('registry-import', 'holdings', running.address),
    registryGateway: await callAs('gateway', 'ledger', running.address),
    registryImport: await callAs('registry-import', 'ledger', running.address),
    tasks: await callAs('tasks', 'selectionCheck', running.address),
    register: await callAs('gateway', 'publicRegister', running.address),
    admin: await callAs('admin', 'reconciliation', running.address),
  };
  const replicas: TestService[] = [];
  const processes: ReplicaProcess[] = [];
  return {
    ...clients,
    namespace,
    consumers,
    suspended,
    onboarded,
    nameLookUps: described,
    service: running,
    publisher,
    reports: tasksReader.entries,
    logEntries: logReader.entries,
    async replica() {
      const replica = await startTestService(service, { namespace, variables, databaseUrl: running.databaseUrl });
      replicas.push(replica);
      return replica;
    },
    async replicaProcess() {
      const replica = await startReplicaProcess({
        DATABASE_URL: toRuntimeUrl(running.databaseUrl),
        AMQP_URL: testBrokerUrl(),
        AMQP_NAMESPACE: namespace,
        ...identityVariables('inventory'),
        ...variables,
      });
      processes.push(replica);
      return replica;
    },
    async stop() {
      for (const client of Object.values(clients)) client.close();
      for (const replica of processes) await replica.kill();
      const neighbours = [others, ...Object.values(consumers)];
      for (const part of [tasksReader, logReader, publisher, ...replicas, running, ...neighbours]) await part.stop();
    },
  };
}

let scenes = 0;

/** @param variables additional environment variables of the service */
export async function startInventory(variables: Record<string, string> = {}): Promise<Inventory> {
  const all = await startAll(variables);
  const { registryGateway, registryImport, reports } = all;
  const parse = ({ data }: { data: Buffer }): { status: string } => JSON.parse(data.toString()) as { status: string };
  const inventory: Inventory = {
    ...all,
    scene() {
      const channel = `c${++scenes}`;
      const trader = (name: string): string => `${channel}-${name}`;
      const seller = trader('seller');
      const issue = (first?: string, last?: string): Promise<string> => inventory.issue(channel, seller, first, last);
      return { channel, seller, buyer: trader('buyer'), trader, issue };
    },
    applyFacilities: async (...facilities) =>
      removeMarkers(await registryImport.ApplyFacilities({ facilities }, await asRegistry())).results,
    applyIssuances: async (...issuances) =>
      removeMarkers(await registryImport.ApplyIssuances({ issuances }, await asRegistry())).results,
    async issue(salesChannelId, traderId, firstSerial = '1', lastSerial = '10') {
      const issuance = createIssuance(holderOf(traderId), { firstSerial, lastSerial, salesChannelId, traderId });
      const results = await inventory.applyIssuances(issuance);
      if (results[0]?.outcome !== 'OUTCOME_CREATED') throw new Error(JSON.stringify(results));
      return issuance.issuanceId;
    },
    expire: (issuanceId) =>
      inventory.transaction(
        'alter table issuance disable trigger issuance_append_only',
        `update issuance set expiration_date = now() where id = '${issuanceId}'`,
        'alter table issuance enable trigger issuance_append_only',
        `insert into issuance_expiry (issuance_id, expiration_date) values ('${issuanceId}', now())
          on conflict (issuance_id) do update set expiration_date = excluded.expiration_date`,
      ),
    publish: (...requests) => all.publisher.publish('tasks.transfer.requested.v1', requests),
    listReports: (taskId) => reports.filter(({ event }) => event.taskId === taskId),
    waitForReport: async (taskId, count = 1) =>
      toOutcome(
        await eventually(
          () => Promise.resolve(inventory.listReports(taskId)[count - 1]),
          `report ${count} about task ${taskId}`,
        ),
      ),
    async settle(request) {
      await inventory.publish(request);
      return inventory.waitForReport(request.taskId);
    },
    async settleTransaction(request) {
      const { transactionId, reason } = await inventory.settle(request);
      if (transactionId === null) throw new Error(`the transfer was refused: ${reason}`);
      return transactionId;
    },
    approve: async (transactionId) =>
      parse(await registryGateway.ApproveTransaction({ transactionId }, await asRegistry())),
    reject: async (transactionId) =>
      parse(await registryGateway.RejectTransaction({ transactionId }, await asRegistry())),
    list: async (traderId, salesChannelId = channelOf(traderId)) =>
      readJson(all.gateway.ListInventory({ traderId }, await asUser(salesChannelId, ['ASSET_VIEWER']))),
    listRanges: async (traderId, issuanceId) =>
      (await inventory.list(traderId))
        .filter((bundle) => issuanceId === undefined || bundle.issuanceId === issuanceId)
        .map(({ start, end }) => `${serialOf(start)}-${serialOf(end)}`),
    async transaction(...statements) {
      // PostgreSQL runs statements of one message in one transaction.
      await all.service.sql(statements.join(';\n'));
    },
  };
  await inventory.applyFacilities(facility);
  return inventory;
}
