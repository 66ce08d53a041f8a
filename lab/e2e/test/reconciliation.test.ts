import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DatabaseName } from '@saleschannel/auditor';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { eventually, withQueues, handOverTestDatabase, testServerUrl } from '@saleschannel/testing';
import { Client } from 'pg';
import type { System } from '../src/system.ts';
import {
  inventoryPath,
  issue,
  withIdempotencyKey,
  onboard,
  operator,
  waitForTransaction,
  retirementBody,
  v1,
  type LogEvent,
  type Task,
} from './support/api.ts';
import { auditSystem, useOwnSystem } from './support/system.ts';

/** Failures of installations. */

const databaseName = (system: System, service: DatabaseName): string =>
  new URL(system.findDatabaseUrl(service)).pathname.slice(1);

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Backs up a service's database, and stops the service meanwhile. Returns the name of the backup. */
async function backUp(system: System, service: DatabaseName): Promise<string> {
  const database = databaseName(system, service);
  const backup = `${database}_backup`;
  await system.stopService(service);
  await onServer(`drop database if exists ${backup}`, `create database ${backup} template ${database}`);
  await system.startService(service);
  return backup;
}

/** Replaces a service's database with a backup while the service is stopped, and removes the backup. */
async function restoreBackup(system: System, service: DatabaseName, backup: string): Promise<void> {
  const database = databaseName(system, service);
  await system.stopService(service);
  await onServer(`drop database ${database} with (force)`, `alter database ${backup} rename to ${database}`);
  // A backup does not contain the database's owner and connection rights.
  await handOverTestDatabase(database);
  await system.startService(service);
}

/** A private broker of a test file. */
interface PrivateBroker {
  readonly url: string;
  /** Stops it, deletes its data, and starts it again at the same address. */
  loseDisk(): Promise<void>;
  stop(): Promise<void>;
}

async function startPrivateBroker(): Promise<PrivateBroker> {
  const folder = await createTemporaryFolder();
  const dataDirectory = join(folder, 'rabbitmq');
  const users = [{ name: 'test', password: 'test', configure: '.*', write: '.*', read: '.*' }];
  const start = (port?: number): Promise<RunningRabbitMq> =>
    startRabbitMq({
      dataDirectory,
      users,
      vhost: '/',
      ...(port === undefined ? {} : { port }),
      log: () => undefined,
      removeWhenOrphaned: true,
    });
  let running = await start();
  return {
    url: running.url('test'),
    async loseDisk() {
      const { port } = running;
      await running.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
      running = await start(port);
    },
    async stop() {
      await running.stop();
      removeFolder(folder);
    },
  };
}

/** After losses of an installation the log and the tasks become complete, without duplicates. */

const LIMIT_MS = 240_000;

let broker: PrivateBroker;
beforeAll(async () => {
  broker = await startPrivateBroker();
}, LIMIT_MS);
const system = useOwnSystem(
  () => ({
    brokerUrl: broker.url,
    variables: { RECONCILE_SECONDS: '1', RECONCILE_GRACE_SECONDS: '1', TASK_PICK_UP_SECONDS: '1' },
  }),
  {
    notAudited: 'the last test restores the ledger alone, which cannot be repaired. The others are audited one by one',
  },
);
// After the system, because afterAll hooks run in order of registration.
afterAll(() => broker.stop(), LIMIT_MS);

const mine = () => system().channels[0];
const client = () => system().createClient(operator(mine()));

/** Transactions that wait for approval, with their tasks. */
async function reserve(count: number): Promise<string[]> {
  const party = await onboard(system(), mine(), { autoApproval: false });
  const { range } = await issue(system(), party);
  const path = inventoryPath(party.traderId, 'retire');
  const ids: string[] = [];
  for (let serial = 1; serial <= count; serial++) {
    const body = retirementBody([range(serial, serial)]);
    const { taskId } = await client().ok<Task>('POST', path, { body, headers: withIdempotencyKey() });
    ids.push(await waitForTransaction(client(), `${path}/${taskId}`));
  }
  return ids;
}

/** The seller decides on each, and rejects every third one. */
async function decide(ids: readonly string[]): Promise<void> {
  for (const [index, id] of ids.entries())
    await system().registry.ok('POST', `/Registry/api/transactions/${id}/${index % 3 === 2 ? 'reject' : 'approve'}`);
}

/** A reader that follows the specification and resumes at its position. */
class Reader {
  #key: string | undefined;
  #lastId: string | undefined;

  /** New events, in order. */
  async read(): Promise<LogEvent[]> {
    const news: LogEvent[] = [];
    for (;;) {
      const filter: Record<string, string> =
        this.#key === undefined ? {} : { $filter: JSON.stringify({ createdAt: { gte: this.#key } }) };
      const page = await client().ok<LogEvent[]>('GET', `${v1}/events`, {
        query: { ...filter, $orderBy: JSON.stringify({ createdAt: 'asc' }), $limit: '5' },
      });
      news.push(...page.filter(({ id }) => id !== this.#lastId));
      this.#key = page.at(-1)?.createdAt ?? this.#key;
      this.#lastId = page.at(-1)?.id ?? this.#lastId;
      if (page.length < 5) return news;
    }
  }
}

const getIds = (events: readonly LogEvent[]): string[] => events.map(({ id }) => id).toSorted();
const getTransactionIds = (events: readonly LogEvent[]): string[] =>
  events.map(({ payload }) => payload.transactionId).toSorted();

/** Checks that log, tasks and ledger agree, that each change exists once, and that times and positions increase. */
async function expectComplete(): Promise<void> {
  await eventually(async () => {
    const reports = await system().reconciliation.run({ salesChannelId: undefined, status: false, wait: true });
    // A complete consumer may still lag. Here the entries must arrive.
    return reports.every(({ isComplete, lagEntries }) => isComplete && lagEntries === '0');
  }, 'every consumer to have everything');
  await auditSystem(system());
  const events = await new Reader().read();
  expect(new Set(getIds(events)).size).toBe(events.length);
  const times = events.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...new Set(times)].toSorted());
  const [log, ledger] = await Promise.all([
    system().querySql('events', 'select id, sequence from event where sales_channel_id = $1 order by 2', [
      mine().salesChannelId,
    ]),
    system().querySql(
      'inventory',
      'select event_id as id, sequence from status_change where sales_channel_id = $1 order by 2',
      [mine().salesChannelId],
    ),
  ]);
  expect(log).toEqual(ledger);
}

/** Ends transactions while both consumers are stopped, until the broker has confirmed every message. */
async function decideWithoutConsumers(ids: readonly string[]): Promise<void> {
  await Promise.all([system().stopService('events'), system().stopService('tasks')]);
  await decide(ids);
  await eventually(
    async () => (await system().querySql('inventory', 'select 1 as one from outbox')).length === 0,
    'the broker to have everything',
  );
  await withQueues(broker.url, system().namespace, async ({ depth }) => {
    // A busy broker reports a depth of 0, and a repeated task may have been answered twice.
    await eventually(async () => {
      const depths = [await depth('events.log'), await depth('tasks.outcomes')];
      return depths.every((each) => each >= ids.length);
    }, 'the messages in the queues');
  });
}

const startConsumers = (): Promise<unknown> =>
  Promise.all([system().startService('events'), system().startService('tasks')]);

const losses: readonly (readonly [string, () => Promise<void>])[] = [
  ['the broker loses its disk', () => broker.loseDisk()],
  [
    'the queues are purged',
    () =>
      withQueues(broker.url, system().namespace, async ({ purge }) => {
        await purge('events.log');
        await purge('tasks.outcomes');
      }),
  ],
  [
    'the queues are deleted',
    () =>
      withQueues(broker.url, system().namespace, async ({ remove }) => {
        await remove('events.log');
        await remove('tasks.outcomes');
      }),
  ],
];

test.each(losses)(
  '%s between confirmation and consumption: log and tasks are completed from the ledger',
  async (_what, lose) => {
    const ids = await reserve(4);
    const reader = new Reader();
    await reader.read();
    await decideWithoutConsumers(ids);
    await lose();
    await startConsumers();
    await expectComplete();
    expect(getTransactionIds(await reader.read())).toEqual(ids.toSorted());
  },
  LIMIT_MS,
);

test.each<DatabaseName>(['events', 'tasks'])(
  'after a restore to an earlier time the database of %s is completed from the ledger',
  async (service) => {
    const ids = await reserve(4);
    const backup = await backUp(system(), service);
    const reader = new Reader();
    await reader.read();
    await decide(ids);
    await expectComplete();
    const before = await reader.read();
    await restoreBackup(system(), service, backup);
    await expectComplete();
    // The events appear again after the reader's position. It skips the last known one by its id.
    const again = await reader.read();
    const expectedAgain = service === 'events' ? before.slice(0, -1) : [];
    expect(getIds(again)).toEqual(getIds(expectedAgain));
    expect(getTransactionIds(before)).toEqual(ids.toSorted());
  },
  LIMIT_MS,
);

test(
  'a restore of the ledger alone is reported, and its consumers keep their data',
  async () => {
    const ids = await reserve(2);
    const backup = await backUp(system(), 'inventory');
    await decide(ids);
    await expectComplete();
    const log = await new Reader().read();
    await restoreBackup(system(), 'inventory', backup);
    const reports = await system().reconciliation.run({ salesChannelId: undefined, status: true, wait: false });
    for (const { consumer, isComplete, channels } of reports) {
      expect({ consumer, isComplete, channels: channels.length }).toEqual({ consumer, isComplete: false, channels: 1 });
      const [{ last, highest, salesChannelId } = { last: '', highest: '', salesChannelId: '' }] = channels;
      expect(salesChannelId).toBe(mine().salesChannelId);
      expect(BigInt(highest) - BigInt(last)).toBe(2n);
    }
    expect(await new Reader().read()).toEqual(log);
  },
  LIMIT_MS,
);
