import type { TransferRequested } from '@saleschannel/contracts';
import type { ReplyOf, ServiceClient } from '@saleschannel/grpc';
import type { EntryOf } from '@saleschannel/messaging';
import {
  asRegistry,
  asUser,
  bare,
  callAs,
  eventually,
  identityVariables,
  neighbour,
  runtimeUrlOf,
  startNeighbours,
  startPublisher,
  startTestService,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';
import { startConsumer, type FakeConsumer } from './consumers.ts';
import { facility, issuanceOf, type Facility, type Issuance } from './issuances.ts';
import { startReader } from './reader.ts';
import { startReplicaProcess, type ReplicaProcess } from './replica-process.ts';
import { channelOf, holderOf, nameOf } from './transfers.ts';
import { statementKeys } from './statements.ts';

type Result = ReplyOf<'ledger.ApplyIssuances'>['results'][number];
type Told = EntryOf<'tasks.outcomes'>;

/** What became of a task. */
export interface Outcome {
  readonly said: string;
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

/** A sales channel of a test's own, with two traders. */
export interface Scene {
  readonly channel: string;
  readonly seller: string;
  readonly buyer: string;
  /** A further trader of the channel. */
  trader(name: string): string;
  /** An issuance that is listed for the seller at once. Answers its id. */
  issue(first?: string, last?: string): Promise<string>;
}

/**
 * The ledger as its neighbours see it: over gRPC and RabbitMQ. Every trader whose id begins with a channel's id belongs
 * to that channel. There is one production facility.
 */
export interface Inventory {
  readonly namespace: string;
  /** Sales channels and account holders that are suspended. */
  readonly suspended: Set<string>;
  readonly service: TestService;
  readonly publisher: TestPublisher;
  /** What the tasks service is told. */
  readonly heard: readonly Told[];
  /** What the event log is told. */
  readonly logged: readonly EntryOf<'events.log'>[];
  readonly gateway: ServiceClient<'inventory'>;
  /** For users of account holders. */
  readonly holders: ServiceClient<'holdings'>;
  /** The same, asked by the import service. */
  readonly holdersImport: ServiceClient<'holdings'>;
  /** Traders that are of another account holder than {@link holderOf} says, by id. */
  readonly onboarded: Map<string, string>;
  /** The traders that each call for names asked about. */
  readonly described: readonly (readonly string[])[];
  readonly registryGateway: ServiceClient<'ledger'>;
  readonly registryImport: ServiceClient<'ledger'>;
  readonly tasks: ServiceClient<'selectionCheck'>;
  /** What anybody may read. */
  readonly register: ServiceClient<'publicRegister'>;
  readonly admin: ServiceClient<'reconciliation'>;
  /** Those who apply changes of status. They have applied nothing until a test says so. */
  readonly consumers: { readonly tasks: FakeConsumer; readonly events: FakeConsumer };
  scene(): Scene;
  applyFacilities(...facilities: Facility[]): Promise<Result[]>;
  applyIssuances(...issuances: Issuance[]): Promise<Result[]>;
  /** An issuance that is listed at once for a trader of the channel. Answers its id. */
  issue(salesChannelId: string, traderId: string, first?: string, last?: string): Promise<string>;
  /** Lets the certificates of an issuance expire, which otherwise only time can do. */
  expire(issuanceId: string): Promise<void>;
  publish(...requests: TransferRequested[]): Promise<void>;
  /** What the ledger told of a task: the `count`th thing, from 1. */
  answerTo(taskId: string, count?: number): Promise<Outcome>;
  /** All that the ledger has told of a task so far. */
  answersTo(taskId: string): Told[];
  /** Asks for a transfer, and waits for what the ledger says. */
  settle(request: TransferRequested): Promise<Outcome>;
  /** Asks for a transfer that holds. Answers the id of its transaction. */
  transact(request: TransferRequested): Promise<string>;
  approve(transactionId: string): Promise<{ status: string }>;
  reject(transactionId: string): Promise<{ status: string }>;
  /** The listable bundles of a trader. */
  list(traderId: string, salesChannelId?: string): Promise<Listed[]>;
  /** The listable bundles of a trader as `first-last`, of one issuance or of all. */
  ranges(traderId: string, issuanceId?: string): Promise<string[]>;
  /** Runs statements in one database transaction. */
  transaction(...statements: string[]): Promise<void>;
  /** Another service on the same database and queues. */
  replica(): Promise<TestService>;
  /** One that is a process of its own. */
  replicaProcess(): Promise<ReplicaProcess>;
  stop(): Promise<void>;
}

/** Traders, sales channels and account holders, of which those in `suspended` are. */
const startOthers = (
  suspended: ReadonlySet<string>,
  onboarded: ReadonlyMap<string, string>,
  described: (readonly string[])[],
) => {
  const behind = (traderId: string): string => onboarded.get(traderId) ?? holderOf(traderId);
  const known = <Key extends { salesChannelId: string; traderId: string }>(keys: readonly Key[]) =>
    keys
      .filter(({ salesChannelId, traderId }) => traderId.startsWith(salesChannelId))
      .map((key) => ({ ...key, accountHolderId: behind(key.traderId) }));
  const statusOf = (id: string): string => (suspended.has(id) ? 'SUSPENDED' : 'ACTIVE');
  return startNeighbours(
    neighbour('traderDirectory', ['inventory'], {
      async GetParties({ keys }) {
        return { parties: known(keys) };
      },
      async DescribeParties({ keys }) {
        described.push(keys.map(({ traderId }) => traderId));
        return { parties: known(keys).map((party) => ({ ...party, name: nameOf(party.traderId) })) };
      },
      async FindTradersOfHolder({ accountHolderId }) {
        const [, ownId] = /^holder-of-(.*)$/.exec(accountHolderId) ?? [];
        const traderIds = [...(ownId === undefined ? [] : [ownId]), ...onboarded.keys()];
        const keys = [...new Set(traderIds)].map((traderId) => ({ salesChannelId: channelOf(traderId), traderId }));
        return { parties: known(keys).filter((party) => party.accountHolderId === accountHolderId) };
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

export const outcomeOf = ({ type, event }: Told): Outcome => ({
  said: type === 'inventory.transfer.reported.v1' ? event.outcome : event.status,
  transactionId: event.transactionId,
  reason: event.reason,
});

/** The text that a stream of pieces makes. */
export async function textOf(pieces: AsyncIterable<{ data: Buffer }>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const { data } of pieces) parts.push(data);
  return Buffer.concat(parts).toString();
}

/** The document that a stream of pieces makes. */
export const jsonOf = async <T>(pieces: AsyncIterable<{ data: Buffer }>): Promise<T> =>
  JSON.parse(await textOf(pieces)) as T;

const serialOf = (certificate: string): string => certificate.slice(certificate.lastIndexOf('_') + 1);

/** The service with its neighbours, and clients of it. */
async function startAll(further: Record<string, string>) {
  const namespace = testNamespace();
  const suspended = new Set<string>();
  const onboarded = new Map<string, string>();
  const described: (readonly string[])[] = [];
  const others = await startOthers(suspended, onboarded, described);
  const { address } = others;
  const consumers = { tasks: await startConsumer(), events: await startConsumer() };
  const variables = {
    TRADERS_ADDRESS: address,
    RBAC_ADDRESS: address,
    REGISTRY_IMPORT_ADDRESS: address,
    TASKS_ADDRESS: consumers.tasks.address,
    EVENTS_ADDRESS: consumers.events.address,
    // Only where a test wants it, for these consumers lack everything.
    RECONCILE_SECONDS: '86400',
    STATEMENT_KEYS: await statementKeys(),
    ...further,
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
    described,
    service: running,
    publisher,
    heard: tasksReader.told,
    logged: logReader.told,
    async replica() {
      const replica = await startTestService(service, { namespace, variables, databaseUrl: running.databaseUrl });
      replicas.push(replica);
      return replica;
    },
    async replicaProcess() {
      const replica = await startReplicaProcess({
        DATABASE_URL: runtimeUrlOf(running.databaseUrl),
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

/** @param variables further ones, for the service */
export async function startInventory(variables: Record<string, string> = {}): Promise<Inventory> {
  const all = await startAll(variables);
  const { registryGateway, registryImport, heard } = all;
  const decided = ({ data }: { data: Buffer }): { status: string } => JSON.parse(data.toString()) as { status: string };
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
      bare(await registryImport.ApplyFacilities({ facilities }, await asRegistry())).results,
    applyIssuances: async (...issuances) =>
      bare(await registryImport.ApplyIssuances({ issuances }, await asRegistry())).results,
    async issue(salesChannelId, traderId, firstSerial = '1', lastSerial = '10') {
      const issuance = issuanceOf(holderOf(traderId), { firstSerial, lastSerial, salesChannelId, traderId });
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
    answersTo: (taskId) => heard.filter(({ event }) => event.taskId === taskId),
    answerTo: async (taskId, count = 1) =>
      outcomeOf(
        await eventually(
          () => Promise.resolve(inventory.answersTo(taskId)[count - 1]),
          `answer ${count} to task ${taskId}`,
        ),
      ),
    async settle(request) {
      await inventory.publish(request);
      return inventory.answerTo(request.taskId);
    },
    async transact(request) {
      const { transactionId, reason } = await inventory.settle(request);
      if (transactionId === null) throw new Error(`the transfer was refused: ${reason}`);
      return transactionId;
    },
    approve: async (transactionId) =>
      decided(await registryGateway.ApproveTransaction({ transactionId }, await asRegistry())),
    reject: async (transactionId) =>
      decided(await registryGateway.RejectTransaction({ transactionId }, await asRegistry())),
    list: async (traderId, salesChannelId = channelOf(traderId)) =>
      jsonOf(all.gateway.ListInventory({ traderId }, await asUser(salesChannelId, ['ASSET_VIEWER']))),
    ranges: async (traderId, issuanceId) =>
      (await inventory.list(traderId))
        .filter((bundle) => issuanceId === undefined || bundle.issuanceId === issuanceId)
        .map(({ start, end }) => `${serialOf(start)}-${serialOf(end)}`),
    async transaction(...statements) {
      // PostgreSQL runs statements that are sent together in one transaction.
      await all.service.sql(statements.join(';\n'));
    },
  };
  await inventory.applyFacilities(facility);
  return inventory;
}
