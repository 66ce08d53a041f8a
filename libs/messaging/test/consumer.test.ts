import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  eventually,
  startProxy,
  startPublisher,
  testBrokerUrl,
  testNamespace,
  type TestPublisher,
} from '@saleschannel/testing';
import { removeBinding, withDeadLetters } from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import {
  stopAfterEach,
  consume,
  createTestStore,
  createEffectHandler,
  openTestStoreDatabase,
  createRecordingLogger,
  createReport,
  REPORTED,
  startOperator,
  type Operator,
  taskIds,
  heardAll,
} from './support/messaging.ts';

let namespace: string;
let publisher: TestPublisher;
let operator: Operator;
const track = stopAfterEach();

beforeEach(async () => {
  namespace = testNamespace();
  publisher = track(await startPublisher(namespace));
  operator = track(await startOperator());
});

const QUEUE = 'tasks.outcomes';
const queueEmptied = (): Promise<boolean> =>
  eventually(async () => (await operator.waiting(brokerNames(namespace).queue(QUEUE))) === 0, 'an empty queue');
const deadLetters = () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100));
const deadLettered = (count: number) =>
  eventually(async () => {
    const letters = await deadLetters();
    return letters.length >= count && letters;
  }, `${count} dead letters`);

test('waiting messages are handled in one batch and acknowledged after it', async () => {
  const sizes: number[] = [];
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const listening = track(
    await consume({
      namespace,
      async handle(entries) {
        sizes.push(entries.length);
        await opened;
      },
    }),
  );
  const tasks = Array.from({ length: 30 }, () => newId());
  await publisher.publish(REPORTED, [createReport(tasks[0])]);
  await eventually(() => Promise.resolve(sizes.length === 1));
  for (const id of tasks.slice(1)) await publisher.publish(REPORTED, [createReport(id)]);
  // All are delivered to the consumer.
  await queueEmptied();
  expect(listening.heard).toEqual([]);
  open();
  await heardAll(listening, tasks);
  expect(taskIds(listening.heard)).toEqual(tasks);
  expect(sizes.length).toBeLessThan(tasks.length);
});

test('a batch respects the limit of entries, except for a larger message', async () => {
  const sizes: number[] = [];
  const listening = track(
    await consume({
      namespace,
      maxBatchEntries: 4,
      handle: (entries) => Promise.resolve(void sizes.push(entries.length)),
    }),
  );
  const envelopes = [3, 3, 6, 1, 1].map((size) => Array.from({ length: size }, () => createReport()));
  await Promise.all(envelopes.map((entries) => publisher.publish(REPORTED, entries)));
  await heardAll(
    listening,
    envelopes.flat().map(({ taskId }) => taskId),
  );
  expect(sizes.every((size) => size <= 4 || size === 6)).toBe(true);
});

test('a failing entry becomes a dead letter with its reason; others of its batch are handled', async () => {
  const bad = newId();
  const listening = track(
    await consume({
      namespace,
      handle(entries) {
        return taskIds(entries).includes(bad) ? Promise.reject(new Error('it hurts')) : Promise.resolve();
      },
    }),
  );
  const good = [newId(), newId(), newId()];
  await publisher.publish(REPORTED, [createReport(good[0]), createReport(bad), createReport(good[1])]);
  await publisher.publish(REPORTED, [createReport(good[2])]);
  await heardAll(listening, good);
  const [letter, ...others] = await deadLettered(1);
  expect(others).toEqual([]);
  expect(letter).toMatchObject({ type: REPORTED, reason: 'it hurts' });
  expect((JSON.parse(letter?.body ?? '') as { entries: unknown[] }).entries).toMatchObject([{ taskId: bad }]);
  expect(taskIds(listening.heard).toSorted()).toEqual(good.toSorted());
});

test('each unreadable entry becomes a dead letter; others are handled, on the same channel', async () => {
  const { logger, lines } = createRecordingLogger();
  const listening = track(await consume({ namespace, logger }));
  const good = [newId(), newId(), newId()];
  await publisher.publishRaw(REPORTED, '{"entries": [');
  await publisher.publishRaw(
    REPORTED,
    JSON.stringify({
      entries: [createReport(good[0]), { ...createReport(), outcome: 'LOST' }, 7, createReport(good[1])],
    }),
  );
  await publisher.publishRaw(REPORTED, '[]');
  operator.channel.sendToQueue(brokerNames(namespace).queue(QUEUE), Buffer.from('{"entries":[]}'));
  await publisher.publish(REPORTED, [createReport(good[2])]);
  await heardAll(listening, good);
  const letters = await deadLettered(5);
  expect(letters.map(({ reason }) => reason)).toEqual(Array(5).fill('the message cannot be read'));
  expect(taskIds(listening.heard)).toEqual(good);
  await queueEmptied();
  expect(lines).toEqual([]);
});

test('while the database is unreachable, the consumer waits without losing messages, then resumes', async () => {
  const store = await createTestStore();
  track({ stop: () => store.drop() });
  const proxy = track(await startProxy(store.databaseUrl));
  const database = await openTestStoreDatabase(proxy.url);
  track(database);
  const { logger, lines } = createRecordingLogger();
  const listening = track(await consume({ namespace, logger, handle: createEffectHandler(database) }));
  const tasks = Array.from({ length: 10 }, () => newId());
  await publisher.publish(REPORTED, [createReport(tasks[0])]);
  await heardAll(listening, tasks.slice(0, 1));
  proxy.cut();
  for (const id of tasks.slice(1)) await publisher.publish(REPORTED, [createReport(id)]);
  await eventually(
    () => Promise.resolve(lines.some((line) => line.includes('the database is unavailable'))),
    'the consumer to notice',
  );
  expect(taskIds(listening.heard)).toEqual(tasks.slice(0, 1));
  proxy.restore();
  await heardAll(listening, tasks);
  await queueEmptied();
  expect(await store.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('a consumer stopped without a database leaves its messages to the next one', async () => {
  const store = await createTestStore();
  track({ stop: () => store.drop() });
  const proxy = track(await startProxy(store.databaseUrl));
  const database = await openTestStoreDatabase(proxy.url);
  track(database);
  proxy.cut();
  const { logger, lines } = createRecordingLogger();
  const first = await consume({ namespace, logger, handle: createEffectHandler(database) });
  const tasks = [newId(), newId()];
  for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
  await eventually(
    () => Promise.resolve(lines.some((line) => line.includes('the database is unavailable'))),
    'the consumer to notice',
  );
  await first.stop();
  expect(await deadLetters()).toEqual([]);
  const second = track(await consume({ namespace, handle: createEffectHandler(store.database) }));
  await heardAll(second, tasks);
  expect(await store.countEffects()).toBe(tasks.length);
});

test('a connection lost during a batch loses and repeats nothing', async () => {
  const store = await createTestStore();
  track({ stop: () => store.drop() });
  const proxy = track(await startProxy(testBrokerUrl()));
  let breaks = 0;
  const listening = track(
    await consume({
      namespace,
      url: proxy.url,
      async handle(entries) {
        await createEffectHandler(store.database)(entries);
        if (breaks++ >= 3) return;
        proxy.cut();
        proxy.restore();
      },
    }),
  );
  const tasks = Array.from({ length: 200 }, () => newId());
  for (const id of tasks) await publisher.publish(REPORTED, [createReport(id)]);
  await heardAll(listening, tasks);
  await queueEmptied();
  expect(breaks).toBeGreaterThan(3);
  expect(await store.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('a connection lost while an entry becomes a dead letter loses nothing', async () => {
  const proxy = track(await startProxy(testBrokerUrl()));
  const bad = newId();
  let isCut = false;
  const listening = track(
    await consume({
      namespace,
      url: proxy.url,
      handle(entries) {
        if (!taskIds(entries).includes(bad)) return Promise.resolve();
        if (!isCut) {
          isCut = true;
          // After the last attempt the entry must become a dead letter, on a lost connection.
          proxy.cut();
          proxy.restore();
        }
        return Promise.reject(new Error('it hurts'));
      },
    }),
  );
  const good = newId();
  await publisher.publish(REPORTED, [createReport(bad)]);
  await publisher.publish(REPORTED, [createReport(good)]);
  await heardAll(listening, [good]);
  expect(await deadLettered(1)).toMatchObject([{ reason: 'it hurts' }]);
  await queueEmptied();
});

test('a queue that was deleted is declared again', async () => {
  const listening = track(await consume({ namespace }));
  const [first, second] = [newId(), newId()] as const;
  await publisher.publish(REPORTED, [createReport(first)]);
  await heardAll(listening, [first]);
  await operator.channel.deleteQueue(brokerNames(namespace).queue(QUEUE));
  await publisher.publish(REPORTED, [createReport(second)]);
  await heardAll(listening, [second]);
});

test('an entry stays in its queue until it can become a dead letter', async () => {
  const { logger, lines } = createRecordingLogger();
  const handle = (): Promise<void> => Promise.reject(new Error('it hurts'));
  // It does not rebind meanwhile, which would declare the deleted queue.
  track(await consume({ namespace, logger, handle, rebindEveryMs: 3_600_000 }));
  // A queue deleted before it is bound is declared again.
  await eventually(() => operator.isConsumed(brokerNames(namespace).queue(QUEUE)), 'the consumer');
  await operator.channel.deleteQueue(brokerNames(namespace).deadLetterQueue(QUEUE));
  await publisher.publish(REPORTED, [createReport()]);
  await eventually(
    () => Promise.resolve(lines.some((line) => line.includes('cannot publish a dead letter'))),
    'the consumer to notice',
  );
  track(await consume({ namespace, handle }));
  await eventually(
    async () => (await operator.waiting(brokerNames(namespace).deadLetterQueue(QUEUE))) === 1,
    'a dead letter',
  );
  await queueEmptied();
});

/** Sends a message of a type that no consumer knows, as after a rollback. */
const sendToQueue = (type: string, body: string): boolean =>
  operator.channel.sendToQueue(brokerNames(namespace).queue(QUEUE), Buffer.from(body), {
    type,
    headers: { 'x-kept': 1 },
  });

test('messages of unknown types are neither lost nor dead letters, and delay no others', async () => {
  const { logger, lines } = createRecordingLogger();
  const listening = track(await consume({ namespace, logger }));
  const [first, last] = [newId(), newId()] as const;
  await publisher.publish(REPORTED, [createReport(first)]);
  const bodies = Array.from({ length: 200 }, (_, index) => `{"entries":[${index}]}`);
  // More than the prefetch, and one of a known type that does not belong in this queue.
  for (const body of bodies) sendToQueue('tasks.transfer.announced.v9', body);
  sendToQueue('tasks.transfer.requested.v1', '{"entries":[]}');
  await operator.channel.waitForConfirms();
  await publisher.publish(REPORTED, [createReport(last)]);
  await heardAll(listening, [first, last]);
  await queueEmptied();
  expect(await deadLetters()).toEqual([]);
  expect(lines.filter((line) => line.includes('unknown to this release'))).toHaveLength(2);

  const waiting = await operator.take(brokerNames(namespace).waitingQueue(QUEUE, 'unknown'), bodies.length + 1);
  const announced = waiting.filter(({ properties }) => properties.type === 'tasks.transfer.announced.v9');
  expect(announced.map(({ content }) => content.toString()).toSorted()).toEqual(bodies.toSorted());
  expect(announced.every(({ properties }) => properties.headers?.['x-kept'] === 1)).toBe(true);
});

test('a message of an unknown type returns to its queue, for a release that knows it', async () => {
  const listening = track(await consume({ namespace }));
  const task = newId();
  await publisher.publish(REPORTED, [createReport()]);
  sendToQueue('tasks.transfer.announced.v9', '{"entries":[]}');
  const waiting = brokerNames(namespace).waitingQueue(QUEUE, 'unknown');
  await eventually(async () => (await operator.waiting(waiting)) === 1, 'the waiting queue');
  const body = Buffer.from(JSON.stringify({ entries: [createReport(task)] }));
  // Expires sooner than the queue's time to live.
  await operator.take(waiting, 1);
  operator.channel.sendToQueue(waiting, body, { type: REPORTED, expiration: '1' });
  await heardAll(listening, [task]);
});

test('a leftover binding of another release can be removed, and others stay', async () => {
  const leftover = 'tasks.transfer.announced.v9';
  const listening = track(await consume({ namespace }));
  const task = newId();
  await publisher.publish(REPORTED, [createReport()]);
  const { queue, exchange } = brokerNames(namespace);
  await operator.channel.bindQueue(queue(QUEUE), exchange, leftover);
  await removeBinding(testBrokerUrl(), namespace, QUEUE, leftover);
  const returned = new Promise((resolve) => operator.channel.once('return', resolve));
  operator.channel.publish(exchange, leftover, Buffer.from('{"entries":[]}'), { type: leftover, mandatory: true });
  await returned;
  await publisher.publish(REPORTED, [createReport(task)]);
  await heardAll(listening, [task]);
});
