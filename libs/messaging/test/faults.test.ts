import { beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import {
  eventually,
  startListener,
  startProxy,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
} from '@saleschannel/testing';
import { createBroadcaster, withDeadLetters } from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import {
  stopAfterEach,
  createBroker,
  startConnected,
  consume,
  createTestStore,
  createEffectHandler,
  openTestStoreDatabase,
  createRecordingLogger,
  createReport,
  REPORTED,
  startOperator,
  type Operator,
  type TestStore,
  taskIds,
  heardAll,
  newIds,
} from './support/messaging.ts';

const QUEUE = 'tasks.outcomes';
const DELETED = 'identity.key.deleted.v1';
/** Class and method of Connection.Close (AMQP 0-9-1, section 1.4.2.8). */
const CONNECTION_CLOSE = Buffer.from([0, 10, 0, 50]);
/** The client's own timeout is two seconds longer than that of the server. */
const timeouts = { connectMs: 1_000, statementMs: 200 };

let store: TestStore;
let namespace: string;
let publisher: TestPublisher;
let operator: Operator;
const track = stopAfterEach();

beforeEach(async () => {
  store = await createTestStore();
  track({ stop: () => store.drop() });
  namespace = testNamespace();
  publisher = track(await startPublisher(namespace));
  operator = track(await startOperator());
});

const queueEmptied = (): Promise<boolean> =>
  eventually(async () => (await operator.waiting(brokerNames(namespace).queue(QUEUE))) === 0, 'an empty queue');
const deadLetters = () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100));
const publishEach = async (tasks: readonly string[]): Promise<void> => {
  for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
};

test('a silent database delays entries without losing any', async () => {
  const proxy = track(await startProxy(store.databaseUrl));
  const database = track(await openTestStoreDatabase(proxy.url, timeouts));
  const listening = track(await consume({ namespace, handle: createEffectHandler(database) }));
  const tasks = newIds(10);
  await publishEach(tasks.slice(0, 1));
  await heardAll(listening, tasks.slice(0, 1));
  proxy.freeze();
  await publishEach(tasks.slice(1));
  await heardAll(listening, tasks);
  await queueEmptied();
  expect(await store.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('a temporarily read-only database loses no entry', async () => {
  const name = new URL(store.databaseUrl).pathname.slice(1);
  const superuser = createConnection(store.databaseUrl);
  await superuser.connect();
  await superuser.query(`alter database ${name} set default_transaction_read_only = on`);
  let refusals = 0;
  const database = track(await openTestStoreDatabase(store.databaseUrl));
  const listening = track(
    await consume({
      namespace,
      handle: (entries, options) =>
        createEffectHandler(database)(entries, options).catch((error: unknown) => {
          refusals++;
          throw error;
        }),
    }),
  );
  const tasks = newIds(5);
  await publishEach(tasks);
  // More often than an entry with invalid data is tried.
  await eventually(() => Promise.resolve(refusals > 3), 'the fourth refusal');
  expect(await deadLetters()).toEqual([]);
  await superuser.query('set default_transaction_read_only = off');
  await superuser.query(`alter database ${name} reset default_transaction_read_only`);
  await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await superuser.end();
  await heardAll(listening, tasks);
  expect(await store.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('a temporarily missing table, as during a restore, loses no entry', async () => {
  const superuser = createConnection(store.databaseUrl);
  await superuser.connect();
  track({ stop: () => superuser.end() });
  await superuser.query('alter table effect rename to effect_away');
  let refusals = 0;
  const database = track(await openTestStoreDatabase(store.databaseUrl));
  const handle: ReturnType<typeof createEffectHandler> = (entries, options) =>
    createEffectHandler(database)(entries, options).finally(() => refusals++);
  const listening = track(await consume({ namespace, handle }));
  const tasks = newIds(5);
  await publishEach(tasks);
  // More often than an entry with invalid data is tried.
  await eventually(() => Promise.resolve(refusals > 4), 'the fifth refusal');
  expect(await deadLetters()).toEqual([]);
  await superuser.query('alter table effect_away rename to effect');
  await heardAll(listening, tasks);
  expect(await store.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('an entry that always crashes the process becomes a dead letter, and others do not', async () => {
  const bad = newId();
  const good = newIds(40);
  const heard = new Set<string>();
  /** Runs a process until it ends. Returns false if it did not crash. */
  const runProcess = async (): Promise<boolean> => {
    let hasCrashed = false;
    const listening = await consume({
      namespace,
      async handle(entries) {
        if (!taskIds(entries).includes(bad)) return void taskIds(entries).forEach((id) => heard.add(id));
        hasCrashed = true;
        await new Promise<never>(() => undefined);
      },
    });
    const isDone = async (): Promise<boolean> => heard.size === good.length && (await deadLetters()).length > 0;
    await eventually(async () => hasCrashed || (await isDone()), 'a crash or the end');
    await (hasCrashed ? listening.crash() : listening.stop());
    return hasCrashed;
  };
  const before = await consume({ namespace });
  await eventually(
    async () => (await operator.waiting(brokerNames(namespace).queue(QUEUE))) !== undefined,
    'the queue',
  );
  await before.stop();
  await publishEach([...good.slice(0, 10), bad, ...good.slice(10)]);
  let runs = 1;
  while (await runProcess()) runs++;
  expect(runs).toBeGreaterThan(2);
  expect([...heard].toSorted()).toEqual(good.toSorted());
  const letters = await deadLetters();
  expect(letters.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ entries: [{ taskId: bad }] }]);
});

test('a silent broker is replaced by a new connection', async () => {
  const proxy = track(await startProxy(testBrokerUrl()));
  const listening = track(await consume({ namespace, url: proxy.url, heartbeatSeconds: 1 }));
  const tasks = newIds(2);
  await publishEach(tasks.slice(0, 1));
  await heardAll(listening, tasks.slice(0, 1));
  proxy.freeze();
  await publishEach(tasks.slice(1));
  await heardAll(listening, tasks);
});

test('broadcasts are dropped while the broker is stalled, and sent again afterwards', async () => {
  const proxy = track(await startProxy(testBrokerUrl()));
  const broker = track(createBroker(namespace, proxy.url));
  const broadcast = createBroadcaster({ broker, service: 'test' });
  const listener = track(await startListener(namespace, [DELETED]));
  const broadcasted = new Set<string>();
  const send = (): boolean => {
    const keyId = newId();
    const isSent = broadcast(DELETED, [{ keyId }]);
    if (isSent) broadcasted.add(keyId);
    return isSent;
  };
  await broker.start();
  await eventually(() => Promise.resolve(send()), 'a channel');
  await eventually(() => Promise.resolve(listener.entries.length === broadcasted.size), 'the first one');
  proxy.blackhole();
  let accepted = 0;
  while (send()) accepted += 1;
  expect(accepted).toBeLessThanOrEqual(50);
  await startConnected(track(createBroker(namespace)));
  expect(send()).toBe(false);
  proxy.restore();
  await eventually(() => Promise.resolve(send()), 'the broker');
  await eventually(
    () => Promise.resolve(listener.entries.some(({ event }) => event.keyId === [...broadcasted].at(-1))),
    'the last broadcast',
  );
});

/** Method frame with which a client closes a channel (AMQP 0-9-1: class 20, method 40). */
const CHANNEL_CLOSE = Buffer.from([0, 20, 0, 40]);

test('a connection lost while a channel closes is re-established', async () => {
  let breaks = 0;
  const proxy = track(
    await startProxy(testBrokerUrl(), {
      breaksAt: (sent) => breaks < 3 && sent.includes(CHANNEL_CLOSE) && ++breaks > 0,
    }),
  );
  const listening = track(await consume({ namespace, url: proxy.url }));
  const tasks = newIds(2);
  await publishEach(tasks.slice(0, 1));
  await heardAll(listening, tasks.slice(0, 1));
  expect(breaks).toBe(3);
  // The same after the setup of the connection.
  breaks = 2;
  expect(await listening.broker.hasQueue(brokerNames(namespace).queue(QUEUE))).toBe(true);
  await publishEach(tasks.slice(1));
  await heardAll(listening, tasks);
  expect(breaks).toBe(3);
});

describe('missing topology is restored while the consumer is connected', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['the exchange', () => operator.channel.deleteExchange(brokerNames(namespace).exchange)],
    [
      'a binding',
      () =>
        operator.channel.unbindQueue(brokerNames(namespace).queue(QUEUE), brokerNames(namespace).exchange, REPORTED),
    ],
    ['the dead letter queue', () => operator.channel.deleteQueue(brokerNames(namespace).deadLetterQueue(QUEUE))],
  ])('%s', async (_what, remove) => {
    const listening = track(await consume({ namespace, rebindEveryMs: 200 }));
    const task = newId();
    await publishEach([task]);
    await heardAll(listening, [task]);
    await remove();
    // Publishes until the broker finds a queue. The broker has closed the first publisher's channel.
    const retrying = track(await startPublisher(namespace));
    const later = newId();
    await retrying.publish(REPORTED, [createReport(later)]);
    await heardAll(listening, [later]);
    const letters = brokerNames(namespace).deadLetterQueue(QUEUE);
    await eventually(async () => (await operator.waiting(letters)) !== undefined, 'the dead letter queue');
  });
});

describe('a queue with other arguments than this release declares', () => {
  test('is used as it is, with a log line', async () => {
    const name = brokerNames(namespace);
    await operator.channel.assertQueue(name.queue(QUEUE), {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 7 },
    });
    const { logger, lines } = createRecordingLogger();
    const listening = track(await consume({ namespace, logger }));
    const task = newId();
    await publishEach([task]);
    await heardAll(listening, [task]);
    expect(lines.filter((line) => line.includes('using it as it is'))).toHaveLength(1);
  });

  test('a failed setup does not affect other users of the connection', async () => {
    const { logger, lines } = createRecordingLogger();
    const failing = (): Promise<void> => Promise.reject(new Error('never'));
    const listening = track(await consume({ namespace, logger, before: [failing] }));
    const task = newId();
    await publishEach([task]);
    await heardAll(listening, [task]);
    expect(lines.some((line) => line.includes('cannot set up a channel'))).toBe(true);
  });
});

test('stopping a broker while it connects is safe', async () => {
  const answered = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  const breaksAt = (sent: Buffer): boolean => {
    const isClose = sent.includes(CONNECTION_CLOSE);
    if (isClose) broken.resolve();
    return isClose;
  };
  const proxy = track(await startProxy(testBrokerUrl(), { breaksAt, onAnswer: () => answered.resolve() }));
  const broker = createBroker(namespace, proxy.url);
  await broker.start();
  await answered.promise;
  await broker.stop();
  await broken.promise;
  // An unhandled error event would fail the test by now.
  await operator.waiting(brokerNames(namespace).queue(QUEUE));
});
