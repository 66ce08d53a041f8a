import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection, query, sql, type Database, type TransactionOptions } from '@saleschannel/database';
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
import { names } from '../src/topology.ts';
import {
  brokerOf,
  connected,
  consume,
  createStage,
  effects,
  openStageDatabase,
  recordingLogger,
  reported,
  REPORTED,
  startOperator,
  type Listening,
  type Operator,
  type Stage,
} from './support/stage.ts';

const QUEUE = 'tasks.outcomes';
const DELETED = 'identity.key.deleted.v1';
/** Class and method of Connection.Close (AMQP 0-9-1, section 1.4.2.8). */
const CONNECTION_CLOSE = Buffer.from([0, 10, 0, 50]);
/** A client waits for an answer two seconds longer than the server does. */
const patience = { connectMs: 1_000, statementMs: 200 };

let stage: Stage;
let namespace: string;
let publisher: TestPublisher;
let operator: Operator;
const parts: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  stage = await createStage();
  namespace = testNamespace();
  publisher = kept(await startPublisher(namespace));
  operator = kept(await startOperator());
});
afterEach(async () => {
  for (const part of parts.splice(0).reverse()) await part.stop();
  await stage.drop();
});

const kept = <P extends { stop(): Promise<void> }>(part: P): P => {
  parts.push(part);
  return part;
};
const ids = (count: number): string[] => Array.from({ length: count }, () => newId());
const taskIds = (entries: Listening['heard']): string[] => entries.map(({ event }) => event.taskId);
const heardAll = (listening: Listening, wanted: readonly string[]): Promise<boolean> =>
  eventually(() => Promise.resolve(wanted.every((id) => taskIds(listening.heard).includes(id))), 'every entry');
const queueEmptied = (): Promise<boolean> =>
  eventually(async () => (await operator.waiting(names(namespace).queue(QUEUE))) === 0, 'an empty queue');
const deadLetters = () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100));
const publishEach = async (tasks: readonly string[]): Promise<void> => {
  for (const id of tasks) await publisher.publish(REPORTED, [reported(id)]);
};

test('a database that is gone without a word delays the entries, and costs none', async () => {
  const proxy = kept(await startProxy(stage.databaseUrl));
  const database = kept(await openStageDatabase(proxy.url, patience));
  const listening = kept(await consume({ namespace, handle: effects(database) }));
  const tasks = ids(10);
  await publishEach(tasks.slice(0, 1));
  await heardAll(listening, tasks.slice(0, 1));
  proxy.freeze();
  await publishEach(tasks.slice(1));
  await heardAll(listening, tasks);
  await queueEmptied();
  expect(await stage.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('a database that takes no changes for a while costs no entry', async () => {
  const name = new URL(stage.databaseUrl).pathname.slice(1);
  const superuser = createConnection(stage.databaseUrl);
  await superuser.connect();
  await superuser.query(`alter database ${name} set default_transaction_read_only = on`);
  let refusals = 0;
  const database = kept(await openStageDatabase(stage.databaseUrl));
  const listening = kept(
    await consume({
      namespace,
      handle: (entries, options) =>
        effects(database)(entries, options).catch((error: unknown) => {
          refusals++;
          throw error;
        }),
    }),
  );
  const tasks = ids(5);
  await publishEach(tasks);
  // More often than an entry is tried whose data are wrong.
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
  expect(await stage.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

test('a table that is away for a while, as during a restore, costs no entry', async () => {
  const superuser = createConnection(stage.databaseUrl);
  await superuser.connect();
  kept({ stop: () => superuser.end() });
  await superuser.query('alter table effect rename to effect_away');
  let refusals = 0;
  const database = kept(await openStageDatabase(stage.databaseUrl));
  const handle: ReturnType<typeof effects> = (entries, options) =>
    effects(database)(entries, options).finally(() => refusals++);
  const listening = kept(await consume({ namespace, handle }));
  const tasks = ids(5);
  await publishEach(tasks);
  // More often than an entry is tried whose data are wrong.
  await eventually(() => Promise.resolve(refusals > 4), 'the fifth refusal');
  expect(await deadLetters()).toEqual([]);
  await superuser.query('alter table effect_away rename to effect');
  await heardAll(listening, tasks);
  expect(await stage.countEffects()).toBe(tasks.length);
  expect(await deadLetters()).toEqual([]);
});

describe('somebody holds a row that an entry needs', () => {
  const held = newId();
  let letGo: () => Promise<void>;

  beforeEach(async () => {
    const holder = stage.database.em();
    await holder.entities.begin();
    await query(holder, sql`insert into effect (task_id) values (${held})`);
    letGo = () => holder.entities.rollback();
  });

  const consumeWith = async (options: { database: Database; prefetch?: number }): Promise<Listening> =>
    kept(await consume({ namespace, lockTimeoutMs: 50, handle: effects(options.database), ...options }));

  test('the others go on, what shares a key with it keeps its place, and nothing becomes a dead letter', async () => {
    const listening = await consumeWith({ database: stage.database });
    const others = ids(6);
    const first = { ...reported(held), reason: 'first' };
    const second = { ...reported(held), reason: 'second' };
    await publisher.publish(REPORTED, [reported(others[0]), first, reported(others[1])]);
    await publisher.publish(REPORTED, [reported(others[2]), second]);
    await publishEach(others.slice(3));
    await heardAll(listening, others);
    expect(taskIds(listening.heard)).not.toContain(held);
    // Longer than an entry is tried whose data are wrong.
    await publishEach([...others, ...others]);
    await eventually(() => Promise.resolve(listening.heard.length >= 3 * others.length), 'the others');
    expect(await deadLetters()).toEqual([]);
    await letGo();
    await heardAll(listening, [held]);
    await queueEmptied();
    await eventually(() => Promise.resolve(taskIds(listening.heard).filter((id) => id === held).length === 2), 'both');
    const reasons = listening.heard.filter(({ event }) => event.taskId === held).map(({ event }) => event.reason);
    expect(reasons).toEqual(['first', 'second']);
    expect(await deadLetters()).toEqual([]);
  });

  test('what comes when it was let go, and before it is tried again, does not overtake it', async () => {
    let refusals = 0;
    const handle = (entries: Listening['heard'], limits: TransactionOptions): Promise<void> =>
      effects(stage.database)(entries, limits).catch((error: unknown) => {
        refusals++;
        throw error;
      });
    const listening = kept(await consume({ namespace, lockTimeoutMs: 50, handle }));
    await publisher.publish(REPORTED, [{ ...reported(held), reason: 'first' }]);
    // It waits twice as long each time, and so for a while now.
    await eventually(() => Promise.resolve(refusals >= 4), 'the fourth refusal');
    await letGo();
    // In a batch with another one, which goes on.
    await publisher.publish(REPORTED, [reported(), { ...reported(held), reason: 'second' }]);
    await eventually(() => Promise.resolve(listening.heard.length === 3), 'all');
    // The other one has no place among these. On a busy machine the first one may be tried again before it comes.
    const reasons = listening.heard.map(({ event }) => event.reason);
    expect(reasons.filter((reason) => reason !== null)).toEqual(['first', 'second']);
  });

  test('more entries than a consumer may hold wait for it, and the others go on all the same', async () => {
    const listening = await consumeWith({ database: stage.database, prefetch: 4 });
    await publishEach(Array.from({ length: 10 }, () => held));
    const others = ids(5);
    await publishEach(others);
    await heardAll(listening, others);
    const waiting = names(namespace).waitingQueue(QUEUE, 'put-off');
    await eventually(async () => ((await operator.waiting(waiting)) ?? 0) >= 8, 'those for which there is no room');
    await letGo();
    // Those here go on by themselves. Those on the broker come back after a while.
    await eventually(
      () => Promise.resolve(taskIds(listening.heard).filter((id) => id === held).length === 10),
      'all ten',
    );
    expect(await deadLetters()).toEqual([]);
  });

  test('what waits is left to the next consumer by one that stops', async () => {
    const first = await consumeWith({ database: stage.database });
    const other = newId();
    await publishEach([held, other]);
    await heardAll(first, [other]);
    await first.stop();
    await letGo();
    const second = await consumeWith({ database: stage.database });
    await heardAll(second, [held]);
  });
});

test('an entry that ends the process each time becomes a dead letter, and no innocent one does', async () => {
  const bad = newId();
  const good = ids(40);
  const heard = new Set<string>();
  /** A process until it ends. False when it did not. */
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
  await eventually(async () => (await operator.waiting(names(namespace).queue(QUEUE))) !== undefined, 'the queue');
  await before.stop();
  await publishEach([...good.slice(0, 10), bad, ...good.slice(10)]);
  let runs = 1;
  while (await runProcess()) runs++;
  expect(runs).toBeGreaterThan(2);
  expect([...heard].toSorted()).toEqual(good.toSorted());
  const letters = await deadLetters();
  expect(letters.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ entries: [{ taskId: bad }] }]);
});

test('a broker that is gone without a word is left for a new connection', async () => {
  const proxy = kept(await startProxy(testBrokerUrl()));
  const listening = kept(await consume({ namespace, url: proxy.url, heartbeatSeconds: 1 }));
  const tasks = ids(2);
  await publishEach(tasks.slice(0, 1));
  await heardAll(listening, tasks.slice(0, 1));
  proxy.freeze();
  await publishEach(tasks.slice(1));
  await heardAll(listening, tasks);
});

test('broadcasts past the outbox are left out while the broker stands still, and go out again after that', async () => {
  const proxy = kept(await startProxy(testBrokerUrl()));
  const broker = kept(brokerOf(namespace, proxy.url));
  const broadcast = createBroadcaster({ broker, service: 'test' });
  const listener = kept(await startListener(namespace, [DELETED]));
  const said = new Set<string>();
  const say = (): boolean => {
    const keyId = newId();
    const isSent = broadcast(DELETED, [{ keyId }]);
    if (isSent) said.add(keyId);
    return isSent;
  };
  await broker.start();
  await eventually(() => Promise.resolve(say()), 'a channel');
  await eventually(() => Promise.resolve(listener.heard.length === said.size), 'the first one');
  proxy.swallow();
  let taken = 0;
  while (say()) taken += 1;
  expect(taken).toBeLessThanOrEqual(50);
  await connected(kept(brokerOf(namespace)));
  expect(say()).toBe(false);
  proxy.restore();
  await eventually(() => Promise.resolve(say()), 'the broker');
  await eventually(() => Promise.resolve(listener.heard.some(({ event }) => event.keyId === [...said].at(-1))), 'it');
});

/** The method frame by which a client says goodbye to a channel (AMQP 0-9-1: class 20, method 40). */
const CHANNEL_CLOSE = Buffer.from([0, 20, 0, 40]);

test('a connection that breaks at the goodbye to a channel, whose answer never comes, comes back', async () => {
  let breaks = 0;
  const proxy = kept(
    await startProxy(testBrokerUrl(), {
      breaksAt: (sent) => breaks < 3 && sent.includes(CHANNEL_CLOSE) && ++breaks > 0,
    }),
  );
  const listening = kept(await consume({ namespace, url: proxy.url }));
  const tasks = ids(2);
  await publishEach(tasks.slice(0, 1));
  await heardAll(listening, tasks.slice(0, 1));
  expect(breaks).toBe(3);
  // Also where somebody waits for the answer of a connection that was set up long ago.
  breaks = 2;
  expect(await listening.broker.hasQueue(names(namespace).queue(QUEUE))).toBe(true);
  await publishEach(tasks.slice(1));
  await heardAll(listening, tasks);
  expect(breaks).toBe(3);
});

describe('what leads to a queue is taken away while its consumer is connected', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['the exchange', () => operator.channel.deleteExchange(names(namespace).exchange)],
    [
      'a binding',
      () => operator.channel.unbindQueue(names(namespace).queue(QUEUE), names(namespace).exchange, REPORTED),
    ],
    ['the queue of its dead letters', () => operator.channel.deleteQueue(names(namespace).deadLetterQueue(QUEUE))],
  ])('%s', async (_what, takeAway) => {
    const listening = kept(await consume({ namespace, bindAgainMs: 200 }));
    const task = newId();
    await publishEach([task]);
    await heardAll(listening, [task]);
    await takeAway();
    // It publishes until the broker finds a queue. The broker has closed the channel of the first one.
    const again = kept(await startPublisher(namespace));
    const later = newId();
    await again.publish(REPORTED, [reported(later)]);
    await heardAll(listening, [later]);
    const letters = names(namespace).deadLetterQueue(QUEUE);
    await eventually(async () => (await operator.waiting(letters)) !== undefined, 'the queue of its dead letters');
  });
});

describe('a queue that cannot be declared as this release wants it', () => {
  test('is used as it is, and said so', async () => {
    const name = names(namespace);
    await operator.channel.assertQueue(name.queue(QUEUE), {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 7 },
    });
    const { logger, lines } = recordingLogger();
    const listening = kept(await consume({ namespace, logger }));
    const task = newId();
    await publishEach([task]);
    await heardAll(listening, [task]);
    expect(lines.filter((line) => line.includes('used as it is'))).toHaveLength(1);
  });

  test('does not keep the other users of the connection from theirs', async () => {
    const { logger, lines } = recordingLogger();
    const failing = (): Promise<void> => Promise.reject(new Error('never'));
    const listening = kept(await consume({ namespace, logger, before: [failing] }));
    const task = newId();
    await publishEach([task]);
    await heardAll(listening, [task]);
    expect(lines.some((line) => line.includes('cannot be set up'))).toBe(true);
  });
});

test('a broker that is told to stop while it connects survives the end of that connection', async () => {
  const answered = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<void>();
  const breaksAt = (sent: Buffer): boolean => {
    const isClose = sent.includes(CONNECTION_CLOSE);
    if (isClose) broken.resolve();
    return isClose;
  };
  const proxy = kept(await startProxy(testBrokerUrl(), { breaksAt, onAnswer: () => answered.resolve() }));
  const broker = brokerOf(namespace, proxy.url);
  await broker.start();
  await answered.promise;
  await broker.stop();
  await broken.promise;
  // An error that nobody listens for would fail the test by now.
  await operator.waiting(names(namespace).queue(QUEUE));
});
