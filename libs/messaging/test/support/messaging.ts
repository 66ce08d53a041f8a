import { readFileSync } from 'node:fs';
import { afterEach } from '@jest/globals';
import type { IntegrationEvent, IntegrationEventType, TransferReported } from '@saleschannel/contracts';
import {
  query,
  sql,
  type Availability,
  type Database,
  type Timeouts,
  type Sql,
  type TransactionOptions,
} from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Logger } from '@saleschannel/runtime';
import {
  alwaysAvailable,
  createTestDatabase,
  eventually,
  openTestDatabase,
  testBrokerUrl,
  type TestDatabase,
  startPublisher,
  testNamespace,
  type TestPublisher,
} from '@saleschannel/testing';
import { connect, type ChannelModel, type ConfirmChannel, type GetMessage } from 'amqplib';
import type { ChannelSetup } from '../../src/broker.ts';
import { Broker, Consumer, enqueue, type EntryOf, withDeadLetters, type DeadLetter } from '../../src/index.ts';
import { brokerNames } from '../../src/topology.ts';

export const REPORTED = 'inventory.transfer.reported.v1';

/** The outbox as services create it, and a table for the effects of messages. */
const outbox = readFileSync(new URL('../../src/outbox.sql', import.meta.url), 'utf8');
const migration = {
  file: '20260101000001-test.sql',
  text: `${outbox}create table effect (task_id text primary key);`,
};

/** Brokers for tests that need no features of RabbitMQ itself, each with an unused name. */
export const brokers: readonly (readonly [string, () => string])[] = [
  ['RabbitMQ', testBrokerUrl],
  ['a broker inside the process', () => `in-process:${newId()}`],
];

export interface TestStore {
  readonly databaseUrl: string;
  readonly database: Database;
  countEffects(): Promise<number>;
  countOutbox(): Promise<number>;
  drop(): Promise<void>;
}

/** Creates a database with an outbox and a table for the effects of messages. */
export async function createTestStore(): Promise<TestStore> {
  const created: TestDatabase = await createTestDatabase();
  const database = await openTestStoreDatabase(created.url);
  await database.migrate();
  const count = async (statement: Sql): Promise<number> => {
    const [row] = await query<{ count: number }>(database.em(), statement);
    if (!row) throw new Error('The count returned no row.');
    return row.count;
  };
  return {
    databaseUrl: created.url,
    database,
    countEffects: () => count(sql`select count(*)::int as count from effect`),
    countOutbox: () => count(sql`select count(*)::int as count from outbox`),
    async drop() {
      await database.stop();
      await created.drop();
    },
  };
}

export const openTestStoreDatabase = (url: string, timeouts: Partial<Timeouts> = {}): Promise<Database> =>
  openTestDatabase({ url, poolMax: 4, migrations: [migration], timeouts });

/** Handles entries in a transaction, idempotently, like a service. */
export const createEffectHandler =
  (database: Database) =>
  (entries: Listening['heard'], options: TransactionOptions = {}): Promise<void> =>
    database.transaction(async (em) => {
      for (const { event } of entries)
        await query(em, sql`insert into effect (task_id) values (${event.taskId}) on conflict (task_id) do nothing`);
    }, options);

export const createReport = (taskId = newId()): TransferReported => ({
  taskId,
  outcome: 'SUCCESS',
  transactionId: newId(),
  reason: null,
  traceparent: '',
});

/** Commits one message per entry. */
export async function commit<T extends IntegrationEventType>(
  database: Database,
  type: T,
  entries: IntegrationEvent<T>[],
): Promise<void> {
  await database.transaction((em) => {
    for (const entry of entries) enqueue(em, type, [entry]);
  });
}

export const createBroker = (
  namespace: string,
  url = testBrokerUrl(),
  logger: Logger = silentLogger,
  heartbeatSeconds = 10,
): Broker => new Broker({ url, namespace, service: 'test', logger, heartbeatSeconds });

/** Starts a broker and waits for its connection, unlike `start`. */
export async function startConnected(broker: Broker): Promise<Broker> {
  const attached = new Promise<void>((resolve) => broker.use(() => Promise.resolve(resolve())));
  await broker.start();
  await attached;
  return broker;
}

/** A logger that records its warnings and errors. */
export function createRecordingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const record = (...args: unknown[]): void => void lines.push(args.map(String).join(' '));
  return {
    logger: { ...silentLogger, debug: () => undefined, info: () => undefined, warn: record, error: record } as never,
    lines,
  };
}

export interface Listening {
  readonly consumer: Pick<Consumer<'tasks.outcomes'>, 'isHealthy'>;
  readonly heard: EntryOf<'tasks.outcomes'>[];
  readonly broker: Broker;
  stop(): Promise<void>;
  /** Closes the connection with all unacknowledged messages, like the end of the process. */
  crash(): Promise<void>;
}

/** Consumes 'tasks.outcomes'. */
export async function consume(options: {
  namespace: string;
  url?: string;
  logger?: Logger;
  maxBatchEntries?: number;
  lockTimeoutMs?: number;
  prefetch?: number;
  rebindEveryMs?: number;
  maxBatchMs?: number;
  heartbeatSeconds?: number;
  availability?: Availability;
  /** Other users of the connection. */
  before?: readonly ChannelSetup[];
  handle?(entries: Listening['heard'], limits: TransactionOptions): Promise<void>;
}): Promise<Listening> {
  const heard: Listening['heard'] = [];
  const broker = createBroker(options.namespace, options.url, options.logger, options.heartbeatSeconds);
  for (const setup of options.before ?? []) broker.use(setup);
  const consumer = new Consumer({
    broker,
    availability: options.availability ?? alwaysAvailable,
    queue: 'tasks.outcomes',
    prefetch: options.prefetch ?? 50,
    maxBatchEntries: options.maxBatchEntries ?? 100,
    logger: options.logger ?? silentLogger,
    keysOf: ({ taskId }) => [taskId],
    ...(options.rebindEveryMs === undefined ? {} : { rebindEveryMs: options.rebindEveryMs }),
    ...(options.maxBatchMs === undefined ? {} : { maxBatchMs: options.maxBatchMs }),
    ...(options.lockTimeoutMs === undefined ? {} : { lockTimeoutMs: options.lockTimeoutMs }),
    async handle(entries, limits) {
      await options.handle?.(entries, limits);
      heard.push(...entries);
    },
  });
  await consumer.start();
  await broker.start();
  return {
    consumer,
    heard,
    broker,
    async stop() {
      await consumer.stop();
      await broker.stop();
    },
    crash: () => broker.stop(),
  };
}

export const newIds = (count: number): string[] => Array.from({ length: count }, () => newId());

export const taskIds = (entries: Listening['heard']): string[] => entries.map(({ event }) => event.taskId);

/** Resolves when the consumer has handled entries with all of these task ids. */
export const heardAll = (listening: Listening, expected: readonly string[]): Promise<boolean> =>
  eventually(() => Promise.resolve(expected.every((id) => taskIds(listening.heard).includes(id))), 'every entry');

export interface Operator {
  readonly channel: ConfirmChannel;
  /** Number of waiting messages, undefined if the queue does not exist. */
  waiting(queue: string): Promise<number | undefined>;
  /** Whether the queue has a consumer, which a service starts after making all bindings. */
  isConsumed(queue: string): Promise<boolean>;
  /** Takes this many messages from the queue. */
  take(queue: string, count: number): Promise<GetMessage[]>;
  stop(): Promise<void>;
}

/** Connects with all permissions on the broker. */
export async function startOperator(url = testBrokerUrl()): Promise<Operator> {
  const connection: ChannelModel = await connect(url);
  connection.on('error', () => undefined);
  const channel = await connection.createConfirmChannel();
  /** On a channel of its own, which the broker closes if the queue does not exist. */
  const readState = async (queue: string) => {
    const probe = await connection.createChannel();
    probe.on('error', () => undefined);
    const state = await probe.checkQueue(queue).catch(() => undefined);
    if (state) await probe.close();
    return state;
  };
  return {
    channel,
    waiting: async (queue) => (await readState(queue))?.messageCount,
    isConsumed: async (queue) => ((await readState(queue))?.consumerCount ?? 0) > 0,
    async take(queue, count) {
      const messages: GetMessage[] = [];
      while (messages.length < count) {
        messages.push(
          await eventually(() => channel.get(queue, { noAck: true }), `message ${messages.length + 1} of ${count}`),
        );
      }
      return messages;
    },
    stop: () => connection.close(),
  };
}

const QUEUE = 'tasks.outcomes';

interface Stoppable {
  stop(): Promise<unknown>;
}

/** Stops parts in reverse order. */
function createTracker() {
  const parts: Stoppable[] = [];
  return {
    track<P extends Stoppable>(part: P): P {
      parts.push(part);
      return part;
    },
    async stop(): Promise<void> {
      for (const part of parts.splice(0).reverse()) await part.stop();
    },
  };
}

/** Returns a function that registers parts to be stopped after each test, in reverse order. */
export function stopAfterEach(): <P extends Stoppable>(part: P) => P {
  const { track, stop } = createTracker();
  afterEach(stop);
  return track;
}

/** Broker namespace, database and their users, for one test alone. */
export interface Fixture {
  readonly namespace: string;
  /** Name on the broker of the queue that `consume` reads. */
  readonly queue: string;
  readonly store: TestStore;
  readonly publisher: TestPublisher;
  readonly operator: Operator;
  /** Registers a part to be stopped at the end of the test, in reverse order. */
  track<P extends Stoppable>(part: P): P;
  deadLetters(): Promise<DeadLetter[]>;
  stop(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  const namespace = testNamespace();
  const store = await createTestStore();
  const { track, stop } = createTracker();
  track({ stop: () => store.drop() });
  return {
    namespace,
    queue: brokerNames(namespace).queue(QUEUE),
    store,
    publisher: track(await startPublisher(namespace)),
    operator: track(await startOperator()),
    track,
    deadLetters: () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100)),
    stop,
  };
}
