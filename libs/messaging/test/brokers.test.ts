import { beforeEach, describe, expect, test } from '@jest/globals';
import { query, sql, type TransactionOptions } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { silentLogger, type Part } from '@saleschannel/runtime';
import { alwaysAvailable, eventually, startListener, testNamespace } from '@saleschannel/testing';
import {
  Consumer,
  createBroadcaster,
  enqueue,
  listenToBroadcasts,
  QueueLevels,
  Relay,
  withDeadLetters,
} from '../src/index.ts';
import { MAX_ENTRIES_PER_MESSAGE } from '../src/envelope.ts';
import { isInProcess } from '../src/in-process-broker.ts';
import {
  stopAfterEach,
  createBroker,
  brokers,
  commit,
  consume,
  createTestStore,
  createEffectHandler,
  createReport,
  REPORTED,
  type Listening,
  type TestStore,
  taskIds,
  heardAll,
  newIds,
} from './support/messaging.ts';

/** Guarantees from commit to consumer, with and without RabbitMQ. */

const QUEUE = 'tasks.outcomes';
const CHANGED = 'inventory.transaction.status-changed.v1';
const DELETED = 'identity.key.deleted.v1';

let store: TestStore;
let url: string;
let namespace: string;
const track = stopAfterEach();

async function startRelay(): Promise<Relay> {
  const broker = track(createBroker(namespace, url));
  const relay = new Relay({ databaseUrl: store.databaseUrl, broker, service: 'test', logger: silentLogger });
  await broker.start();
  await track<Part>(relay).start();
  return relay;
}

const commitAll = (tasks: readonly string[]): Promise<void> =>
  commit(
    store.database,
    REPORTED,
    tasks.map((id) => createReport(id)),
  );
const outboxEmpty = (): Promise<boolean> =>
  eventually(async () => (await store.countOutbox()) === 0, 'an empty outbox');

interface RefusedMessage {
  readonly reason: string;
  readonly body: string;
}

/** Lists permanently refused messages, from dead letters or outbox_refused. */
async function listRefused(): Promise<RefusedMessage[]> {
  if (!isInProcess(url)) return withDeadLetters(url, namespace, (letters) => letters.list(QUEUE, 100));
  return query(store.database.em(), sql`select reason, body from outbox_refused order by id`);
}

const change = (taskId: string) =>
  ({
    eventId: newId(),
    salesChannelId: 'c',
    transactionId: 't',
    taskId,
    status: 'SUCCESS',
    reason: null,
    effectiveAt: '',
    traceparent: '',
  }) as const;

/** Consumes the second queue of status changes. */
async function startLog(handle: (tasks: string[]) => Promise<void>): Promise<void> {
  const broker = createBroker(namespace, url);
  const log = new Consumer({
    broker,
    queue: 'events.log',
    prefetch: 10,
    maxBatchEntries: 10,
    availability: alwaysAvailable,
    logger: silentLogger,
    handle: (entries) => handle(entries.map(({ event }) => event.taskId)),
  });
  await broker.start();
  track({ stop: () => log.stop().then(() => broker.stop()) });
}

describe.each(brokers)('with %s', (_name, createUrl) => {
  beforeEach(async () => {
    url = createUrl();
    namespace = testNamespace();
    store = await createTestStore();
    track({ stop: () => store.drop() });
  });

  test('committed events are handled once and in order, and rolled back events never', async () => {
    const listening = track(await consume({ namespace, url }));
    const relay = await startRelay();
    const tasks = newIds(350);
    await commitAll(tasks);
    await store.database
      .transaction((em) => {
        enqueue(em, REPORTED, [createReport()]);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await relay.waitUntilDrained();
    expect(await store.countOutbox()).toBe(0);
    await heardAll(listening, tasks);
    expect(taskIds(listening.heard)).toEqual(tasks);
  });

  test('a failing entry is set aside with its reason; other entries of its message are handled', async () => {
    const bad = newId();
    const handle = (entries: Listening['heard']): Promise<void> =>
      taskIds(entries).includes(bad) ? Promise.reject(new Error('it hurts')) : Promise.resolve();
    const listening = track(await consume({ namespace, url, handle }));
    await startRelay();
    const good = newIds(3);
    await store.database.transaction((em) =>
      enqueue(em, REPORTED, [createReport(good[0]), createReport(bad), createReport(good[1])]),
    );
    await commitAll(good.slice(2));
    await heardAll(listening, good);
    await outboxEmpty();
    const [letter, ...others] = await eventually(async () => {
      const found = await listRefused();
      return found.length > 0 && found;
    }, 'a refused entry');
    expect(others).toEqual([]);
    expect(letter?.reason).toContain('it hurts');
    expect((JSON.parse(letter?.body ?? '') as { entries: unknown[] }).entries).toMatchObject([{ taskId: bad }]);
    expect(taskIds(listening.heard).toSorted()).toEqual(good.toSorted());
  });

  test('an unreadable body is set aside and does not delay others', async () => {
    const listening = track(await consume({ namespace, url }));
    await startRelay();
    const good = newIds(2);
    await query(store.database.em(), sql`insert into outbox (type, body) values (${REPORTED}, '{"entries": [')`);
    await commitAll(good);
    await heardAll(listening, good);
    await eventually(async () => (await listRefused()).length === 1, 'the refused body');
    expect(await listRefused()).toMatchObject([{ body: '{"entries": [' }]);
    await outboxEmpty();
  });

  test('an entry that meets a lock is deferred, keeps its position, and delays no others', async () => {
    const held = newId();
    const [taken, undone] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    const holding = store.database.transaction(async (em) => {
      await query(em, sql`insert into effect (task_id) values (${held})`);
      taken.resolve();
      await undone.promise;
    });
    await taken.promise;
    const handle = (entries: Listening['heard'], limits: TransactionOptions): Promise<void> =>
      createEffectHandler(store.database)(entries, limits);
    // More entries wait for the lock than a consumer may hold, so some wait in the waiting queue.
    const listening = track(await consume({ namespace, url, prefetch: 4, lockTimeoutMs: 50, handle }));
    await startRelay();
    await commitAll(Array.from({ length: 10 }, () => held));
    const others = newIds(20);
    await commitAll(others);
    await heardAll(listening, others);
    expect(taskIds(listening.heard)).not.toContain(held);
    undone.reject(new Error('undone'));
    await expect(holding).rejects.toThrow('undone');
    await eventually(
      () => Promise.resolve(taskIds(listening.heard).filter((id) => id === held).length === 10),
      'all deferred entries',
    );
    await outboxEmpty();
    expect(await listRefused()).toEqual([]);
  });

  test('messages of a crashed consumer are redelivered to the next one, in order', async () => {
    const stuck = Promise.withResolvers<void>();
    let hasBegun = false;
    const first = await consume({
      namespace,
      url,
      handle() {
        hasBegun = true;
        return stuck.promise;
      },
    });
    await startRelay();
    const tasks = newIds(120);
    await commitAll(tasks);
    await eventually(() => Promise.resolve(hasBegun), 'a batch');
    await first.crash();
    const second = track(await consume({ namespace, url }));
    await heardAll(second, tasks);
    expect(taskIds(second.heard)).toEqual(tasks);
    await outboxEmpty();
    stuck.resolve();
  });

  test('a message reaches all of its queues, and a stalled queue does not delay others', async () => {
    const tasks = track(await consume({ namespace, url }));
    const stuck = Promise.withResolvers<void>();
    const logged: string[] = [];
    await startLog(async (ids) => {
      await stuck.promise;
      logged.push(...ids);
    });
    await startRelay();
    const changes = newIds(5);
    await commit(
      store.database,
      CHANGED,
      changes.map((id) => change(id)),
    );
    const later = newIds(5);
    await commitAll(later);
    await heardAll(tasks, [...changes, ...later]);
    expect(logged).toEqual([]);
    stuck.resolve();
    await eventually(() => Promise.resolve(logged.length === 5), 'the log');
    await outboxEmpty();
    // Types whose queues do not all exist yet are overtaken. Rows of one type keep their order.
    for (const ids of [changes, later]) expect(taskIds(tasks.heard).filter((id) => ids.includes(id))).toEqual(ids);
    expect(logged).toEqual(changes);
  });

  test('a broadcast reaches listeners, if any', async () => {
    await startRelay();
    await commit(store.database, DELETED, [{ keyId: 'unheard' }]);
    await outboxEmpty();
    const heard: string[] = [];
    const broker = track(createBroker(namespace, url));
    listenToBroadcasts({
      broker,
      service: 'gateway',
      events: [DELETED],
      onEntry: ({ event }) => heard.push(event.keyId),
      logger: silentLogger,
    });
    await broker.start();
    await eventually(async () => {
      await commit(store.database, DELETED, [{ keyId: 'heard' }]);
      return heard.length > 0;
    }, 'the broadcast');
    expect(heard).toContain('heard');
    expect(heard).not.toContain('unheard');
    await outboxEmpty();
  });

  test('a broadcast without the outbox is dropped without a connection, else reaches listeners', async () => {
    const broker = track(createBroker(namespace, url));
    const broadcast = createBroadcaster({ broker, service: 'test' });
    const events = newIds(2 * MAX_ENTRIES_PER_MESSAGE).map((keyId) => ({ keyId }));
    expect(broadcast(DELETED, events)).toBe(false);
    const listener = track(await startListener(namespace, [DELETED], url));
    await broker.start();
    await eventually(() => Promise.resolve(broadcast(DELETED, events)), 'a channel');
    await eventually(() => Promise.resolve(listener.entries.length === events.length), 'all entries');
    expect(listener.entries.map(({ event }) => event)).toEqual(events);
  });

  test('operators see the consumers and waiting messages of a queue', async () => {
    const listening = await consume({ namespace, url });
    await eventually(() => listening.broker.hasQueue(`${namespace}.${QUEUE}.dead-letters`), 'the queue');
    await listening.stop();
    await startRelay();
    const levels = new QueueLevels(url, namespace);
    track({ stop: () => Promise.resolve(levels.close()) });
    await commitAll(newIds(3));
    await eventually(async () => {
      const level = (await levels.read()).find(({ queue }) => queue === QUEUE);
      return level?.messages === 3 && level.consumers === 0;
    }, 'three messages');
  });
});

describe('without RabbitMQ', () => {
  beforeEach(async () => {
    url = `in-process:${newId()}`;
    namespace = testNamespace();
    store = await createTestStore();
    track({ stop: () => store.drop() });
  });

  test('a row stays in the outbox until its consumers are done', async () => {
    const stuck = Promise.withResolvers<void>();
    let hasBegun = false;
    track(
      await consume({
        namespace,
        url,
        handle() {
          hasBegun = true;
          return stuck.promise;
        },
      }),
    );
    await startRelay();
    await commitAll(newIds(3));
    await eventually(() => Promise.resolve(hasBegun), 'a batch');
    // The relay still works on rows that need no consumer, so it has had time to delete.
    await commit(store.database, DELETED, [{ keyId: 'k' }]);
    await eventually(async () => (await store.countOutbox()) === 3, 'only unconfirmed rows');
    stuck.resolve();
    await outboxEmpty();
  });

  test('unconfirmed events of a crashed process are delivered again by the next one', async () => {
    const first = await consume({ namespace, url, handle: () => new Promise<never>(() => undefined) });
    const relay = await startRelay();
    const tasks = newIds(30);
    await commitAll(tasks);
    await eventually(() => Promise.resolve(relay !== undefined), 'a relay');
    await first.crash();
    await relay.stop();
    // Another process has a broker of its own.
    url = `in-process:${newId()}`;
    const second = track(await consume({ namespace, url }));
    await startRelay();
    await heardAll(second, tasks);
    expect(taskIds(second.heard)).toEqual(tasks);
    await outboxEmpty();
  });

  test('stalled consumers use only their share of memory, and others continue', async () => {
    const stuck = Promise.withResolvers<void>();
    const heard: string[] = [];
    const handle = async (entries: Listening['heard']): Promise<void> => {
      await stuck.promise;
      heard.push(...taskIds(entries));
    };
    const listening = track(await consume({ namespace, url, prefetch: 5, handle }));
    await startRelay();
    const large = 'x'.repeat(256 * 1024);
    const tasks = newIds(80);
    for (const id of tasks) await commit(store.database, REPORTED, [{ ...createReport(id), reason: large }]);
    const levels = new QueueLevels(url, namespace);
    const waiting = async (): Promise<number> =>
      (await levels.read()).find(({ queue }) => queue === QUEUE)?.messages ?? 0;
    await eventually(async () => (await waiting()) >= 20, 'messages in memory');
    await commit(store.database, DELETED, [{ keyId: 'k' }]);
    await eventually(async () => (await store.countOutbox()) === tasks.length, 'the broadcast deleted');
    expect(await waiting()).toBeLessThan(50);
    levels.close();
    stuck.resolve();
    await heardAll(listening, tasks);
    expect([...new Set(heard)]).toEqual(tasks);
    await outboxEmpty();
  });
});
