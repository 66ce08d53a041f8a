import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DatabaseName } from '@saleschannel/auditor';
import { addressOf } from '@saleschannel/installation';
import { ledgerPartitionOf, ledgerPartitions } from '@saleschannel/messaging';
import type { App } from '@saleschannel/runtime';
import { eventually, toRuntimeUrl, startProxy, testBrokerUrl, type Proxy } from '@saleschannel/testing';
import { Client as DatabaseClient } from 'pg';
import type { Client } from '../src/client.ts';
import type { System } from '../src/system.ts';
import { followEvents, startReceiver, type Receiver } from './support/followers.ts';
import { useOwnSystem } from './support/system.ts';
import {
  buyer,
  inventoryPath,
  issue,
  withIdempotencyKey,
  operator,
  seller,
  runTransfer,
  v1,
  type Issue,
  type LogEvent,
  type Task,
} from './support/api.ts';

/**
 * One of two replicas silently loses its database or its broker, and keeps the other. The second replica takes over its
 * work: a trade or an import ends within 20 seconds, the event and webhook of a trade arrive within 30, also on a
 * stream that the first replica held.
 */

const TRADE_AT_MOST_MS = 20_000;
const IMPORT_AT_MOST_MS = 20_000;
const REPORT_AT_MOST_MS = 30_000;
const LIMIT_MS = 300_000;
/** Several endpoints for each replica. */
const ENDPOINTS = 4;
/** Concurrent tests, because they mostly wait. More would delay each other. */
const SYSTEMS = 2;

/** Private environment of one test at a time. */
interface TestSystem {
  readonly system: System;
  readonly client: Client;
  readonly receiver: Receiver;
}

async function startStage(system: System): Promise<TestSystem> {
  const [channel] = system.channels;
  const client = system.createClient(operator(channel));
  const receiver = await startReceiver();
  for (let count = 0; count < ENDPOINTS; count++)
    await client.ok('POST', `${v1}/webhook-endpoints`, { body: { url: `${receiver.url}/${count}`, ordered: true } });
  return { system, client, receiver };
}

const systems = Array.from({ length: SYSTEMS }, () => useOwnSystem());
let stages: readonly TestSystem[] = [];
const free: TestSystem[] = [];
const waiting: ((stage: TestSystem) => void)[] = [];
beforeAll(async () => {
  stages = await Promise.all(systems.map((system) => startStage(system())));
  free.push(...stages);
});
afterAll(() => Promise.all(stages.map(({ receiver }) => receiver.stop())));

/** Runs a test in an environment that no concurrent test uses. */
async function runOnOwnSystem(work: (stage: TestSystem) => Promise<void>): Promise<void> {
  const stage = free.pop() ?? (await new Promise<TestSystem>((resolve) => waiting.push(resolve)));
  try {
    await work(stage);
  } finally {
    const next = waiting.shift();
    if (next) next(stage);
    else free.push(stage);
  }
}

type Side = 'database' | 'broker' | 'event log' | 'inventory';

/** Variables of a replica that reaches one of its servers through the proxy. */
async function cutVariables(
  { system }: TestSystem,
  service: DatabaseName,
  side: Side,
): Promise<{ proxy: Proxy; variables: Record<string, string> }> {
  if (side === 'database') {
    const proxy = await startProxy(toRuntimeUrl(system.findDatabaseUrl(service)));
    return { proxy, variables: { DATABASE_URL: proxy.url } };
  }
  if (side === 'broker') {
    const proxy = await startProxy(testBrokerUrl());
    return { proxy, variables: { AMQP_URL: proxy.url } };
  }
  const neighbour = side === 'event log' ? 'events' : side;
  const proxy = await startProxy(`tcp://127.0.0.1:${system.place.ports[neighbour]}`);
  return { proxy, variables: { [`${neighbour.toUpperCase()}_ADDRESS`]: new URL(proxy.url).host } };
}

const count = async ({ system }: TestSystem, service: DatabaseName, text: string): Promise<number> =>
  Number((await system.querySql<{ count: string }>(service, text))[0]?.count);

/** Queries that count the replicas that take part in the service's work. */
const sharing: Partial<Record<DatabaseName, string>> = {
  inventory: "select count(*) from ledger_replica where seen_at > clock_timestamp() - interval '5 seconds'",
  webhooks: 'select count(distinct lease_holder) from endpoint',
};
const relayLocks = (service: DatabaseName): string => `
  select count(*) from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and datname = current_database() and application_name = '${service}-relay'`;

/** Starts a replica without callers before the called one, so that it holds all exclusive locks. */
async function startFirst(stage: TestSystem, service: DatabaseName, variables: Record<string, string>): Promise<App> {
  const { system } = stage;
  await system.stopService(service);
  const replica = await system.startReplica(service, variables);
  if (service === 'tasks' || service === 'inventory')
    await eventually(async () => (await count(stage, service, relayLocks(service))) === 1, 'the lock of the outbox');
  await system.startService(service);
  const shares = sharing[service];
  if (shares)
    await eventually(async () => (await count(stage, service, shares)) === 2, 'two replicas that share the work');
  return replica;
}

/** Issues certificates in every partition of the ledger. */
async function issueEverywhere({ system }: TestSystem): Promise<Issue[]> {
  const [channel] = system.channels;
  return Promise.all(
    ledgerPartitions.map((partition) => {
      let issuanceId = randomUUID();
      while (ledgerPartitionOf(`${issuanceId}_1`, ledgerPartitions.length) !== partition) issuanceId = randomUUID();
      return issue(system, channel, { issuanceId });
    }),
  );
}

const createTrade = ({ system }: TestSystem, { range }: Issue) => ({
  buyerId: buyer(system.channels[0]).id,
  currency: 'EUR',
  assets: [{ ...range(1, 1), unitPrice: 1 }],
});

/** Resolves with the transactions when all trades have succeeded. */
async function tradeAll(stage: TestSystem, issues: readonly Issue[]): Promise<string[]> {
  const { system, client } = stage;
  const path = inventoryPath(seller(system.channels[0]).id, 'trade');
  const tasks = await Promise.all(
    issues.map((issued) =>
      client.ok<Task>('POST', path, { body: createTrade(stage, issued), headers: withIdempotencyKey() }),
    ),
  );
  const read = () => Promise.all(tasks.map(({ taskId }) => client.ok<Task>('GET', `${path}/${taskId}`)));
  const ended = await eventually(
    async () => {
      const found = await read();
      return found.every(({ status }) => status !== 'PENDING') && found;
    },
    'the end of the trades',
    { atMostMs: TRADE_AT_MOST_MS, everyMs: 200 },
  );
  expect(ended.map(({ status }) => status)).toEqual(issues.map(() => 'SUCCESS'));
  return ended.map(({ responsePayload }) => String(responsePayload.id));
}

async function expectReported(
  { client, receiver }: TestSystem,
  transactionIds: readonly string[],
  startedMs: number,
  followed: readonly string[] | undefined,
): Promise<void> {
  const reported = async (): Promise<boolean> => {
    const events = await client.ok<LogEvent[]>('GET', `${v1}/events`, {
      query: { $orderBy: '{"createdAt":"desc"}', $limit: '50' },
    });
    const inLog = new Set(events.map(({ payload }) => payload.transactionId));
    const sent = Map.groupBy(receiver.received, ({ path }) => path);
    const areSent = [...sent.values()].every((messages) =>
      transactionIds.every((id) => messages.some(({ body }) => body.includes(id))),
    );
    const areFollowed = followed === undefined || transactionIds.every((id) => followed.includes(id));
    return sent.size === ENDPOINTS && areSent && areFollowed && transactionIds.every((id) => inLog.has(id));
  };
  const atMostMs = REPORT_AT_MOST_MS - (performance.now() - startedMs);
  await eventually(reported, 'the events and webhooks of the trades', { atMostMs, everyMs: 200 });
}

test.concurrent.each<[DatabaseName, Side]>([
  // Slowest first.
  ['webhooks', 'database'],
  ['webhooks', 'event log'],
  ['tasks', 'database'],
  ['tasks', 'broker'],
  ['inventory', 'database'],
  ['inventory', 'broker'],
  ['events', 'database'],
  ['events', 'broker'],
])(
  'a replica of %s without its %s',
  (service, side) => runOnOwnSystem((stage) => expectTraded(stage, service, side)),
  LIMIT_MS,
);

async function expectTraded(stage: TestSystem, service: DatabaseName, side: Side): Promise<void> {
  const { system, client } = stage;
  const { proxy, variables } = await cutVariables(stage, service, side);
  const replica = await startFirst(stage, service, variables);
  const [channel] = system.channels;
  // The replica holds a stream when it loses its database.
  const follower =
    service === 'events' && side === 'database'
      ? followEvents(system, operator(channel), [replica.address, addressOf('events', system.place)])
      : undefined;
  try {
    const issues = await issueEverywhere(stage);
    await runTransfer(client, seller(channel).id, 'trade', createTrade(stage, await issue(system, channel)));
    await follower?.opened();
    proxy.blackhole();
    const startedMs = performance.now();
    await expectReported(stage, await tradeAll(stage, issues), startedMs, follower?.transactionIds);
  } finally {
    proxy.restore();
    await follower?.stop();
    await replica.stop();
    await proxy.stop();
  }
}

interface Import {
  readonly importId: string;
  readonly status: string;
  readonly linesApplied: number;
}

/** An account holder, stored in the service's database, and a production facility, stored in the ledger. */
function importLines(): string {
  const code = randomUUID().slice(0, 6).toUpperCase();
  const address = { postalCode: '0250', city: 'Oslo', country: 'Norway', street1: 'Karl Johans gate 1' };
  const holder = { type: 'account-holder', name: 'One side', businessId: randomUUID(), address };
  const plant = { name: 'Plant', country: 'NO', methodologyCodes: ['C03000000'], supplier: 'One side' };
  return [holder, { type: 'production-facility', code, ...plant }].map((line) => JSON.stringify(line)).join('\n');
}

/** Starts an import that its replica holds and that cannot continue until the returned function is called. */
async function startHeldImport(stage: TestSystem): Promise<{ importId: string; release(): Promise<void> }> {
  const { system } = stage;
  const session = new DatabaseClient({ connectionString: system.findDatabaseUrl('registry-import') });
  await session.connect();
  await session.query('begin');
  await session.query('lock table account_holder in share mode');
  const { importId } = await system.registry.ok<Import>('POST', '/Registry/api/imports', {
    body: importLines(),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const held = `select count(*) from import where id = '${importId}' and lease_until > clock_timestamp()`;
  await eventually(async () => (await count(stage, 'registry-import', held)) === 1, 'an import that is held');
  return {
    importId,
    async release() {
      await session.query('commit');
      await session.end();
    },
  };
}

test.concurrent.each<[Side]>([['database'], ['inventory']])(
  'a replica of registry-import without its %s',
  (side) => runOnOwnSystem((stage) => expectImported(stage, side)),
  LIMIT_MS,
);

async function expectImported(stage: TestSystem, side: Side): Promise<void> {
  const { system } = stage;
  const { proxy, variables } = await cutVariables(stage, 'registry-import', side);
  const GRPC_PORT = String(system.place.ports['registry-import']);
  await system.stopService('registry-import');
  const sick = await system.startReplica('registry-import', { ...variables, GRPC_PORT });
  const { importId, release } = await startHeldImport(stage);
  const healthy = await system.startReplica('registry-import', {});
  try {
    proxy.blackhole();
    await release();
    const applied = `select count(*) from import where id = '${importId}' and lines_applied = 2`;
    await eventually(async () => (await count(stage, 'registry-import', applied)) === 1, 'the end of the import', {
      atMostMs: IMPORT_AT_MOST_MS,
      everyMs: 200,
    });
  } finally {
    proxy.restore();
    await sick.stop();
    await healthy.stop();
    await system.startService('registry-import');
    await proxy.stop();
  }
}
