import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, describe } from '@jest/globals';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { newId } from '@saleschannel/primitives';
import { silentLogger, readEnvironment, type Logger } from '@saleschannel/runtime';
import { alwaysAvailable, eventually, catchFailure } from '@saleschannel/testing';
import { connect } from 'amqplib';
import {
  Consumer,
  permissionsOf,
  Relay,
  type Broker,
  type QueueName,
  brokerEnvironment,
  brokerUrl,
  createServiceBroker,
  QueueLevels,
  withDeadLetters,
} from '../src/index.ts';
import { brokerNames } from '../src/topology.ts';
import { createBroker, commit, createTestStore, createReport, REPORTED, type TestStore } from './support/messaging.ts';

describe('TLS to the broker', () => {
  /** A broker with a certificate of a private CA, and a file with that CA. */

  let folder: string;
  let authority: TlsCertificate;
  let rabbit: RunningRabbitMq;

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    authority = await createAuthority('servers');
    rabbit = await startRabbitMq({
      dataDirectory: join(folder, 'rabbitmq'),
      users: [{ name: 'inventory', password: 'inventory', configure: '.*', write: '.*', read: '.*' }],
      vhost: '/',
      log: () => undefined,
      removeWhenOrphaned: true,
      tls: await issueCertificate(authority, { program: 'localhost' }),
    });
  }, 120_000);
  afterAll(async () => {
    await rabbit.stop();
    removeFolder(folder);
  });

  function readValues(authorities: string | undefined, host = 'localhost') {
    const address = new URL(rabbit.url('inventory').replace(/^amqp:/, 'amqps:'));
    address.host = `${host}:${rabbit.tlsPort}`;
    const file = authorities === undefined ? undefined : join(folder, 'authorities.crt');
    if (file && authorities) writeFileSync(file, authorities);
    return readEnvironment(brokerEnvironment, { AMQP_URL: address.href, AMQP_CA_FILE: file });
  }

  /** Connects as an operator's command does. */
  const connect = (values: ReturnType<typeof readValues>): Promise<string> =>
    withDeadLetters(brokerUrl(values), values.AMQP_NAMESPACE, () => Promise.resolve('connected'));

  test('every connection uses TLS with a broker that the private CA certifies', async () => {
    const values = readValues(authority.certificate);
    expect(await connect(values)).toBe('connected');
    const levels = new QueueLevels(brokerUrl(values), values.AMQP_NAMESPACE);
    expect((await levels.read()).length).toBeGreaterThan(0);
    levels.close();
    const broker = createServiceBroker('inventory', values, silentLogger);
    let isSetUp = false;
    broker.use(() => Promise.resolve(void (isSetUp = true)));
    await broker.start();
    await eventually(() => Promise.resolve(isSetUp), 'a channel');
    await broker.stop();
  });

  test('a broker of an unknown CA or with another name is refused', async () => {
    const foreign = await createAuthority('strangers');
    expect(String(await catchFailure(connect(readValues(foreign.certificate))))).toMatch(/certificate/);
    // Without the file, the public CAs apply.
    expect(String(await catchFailure(connect(readValues(undefined))))).toMatch(/certificate/);
    expect(String(await catchFailure(connect(readValues(authority.certificate, '127.0.0.1'))))).toMatch(/altnames/);
  });

  test('a service logs why it has no broker, and keeps trying', async () => {
    const { certificate } = await createAuthority('strangers');
    const warned: string[] = [];
    const logger = { ...silentLogger, warn: (text: string) => warned.push(text) } as unknown as Logger;
    const broker = createServiceBroker('inventory', readValues(certificate), logger);
    await broker.start();
    await eventually(() => Promise.resolve(warned.length > 1), 'two attempts');
    await broker.stop();
    for (const text of warned) expect(text).toMatch(/is unreachable: .*certificate/);
  });
});

describe('permissions on a broker', () => {
  /** Tests that stop and start a broker of their own, whose users have the permissions of services. */

  const NAMESPACE = 'system';
  const services = ['inventory', 'tasks', 'events'] as const;
  const users = services.map((name) => ({ name, password: name, ...permissionsOf(name, NAMESPACE) }));
  let folder: string;
  let port: number | undefined;
  let rabbit: RunningRabbitMq;
  let store: TestStore;

  const startNode = async (): Promise<RunningRabbitMq> => {
    const started = await startRabbitMq({
      dataDirectory: join(folder, 'rabbitmq'),
      users,
      vhost: '/',
      ...(port === undefined ? {} : { port }),
      log: () => undefined,
      removeWhenOrphaned: true,
    });
    port = started.port;
    return started;
  };

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    rabbit = await startNode();
    store = await createTestStore();
  }, 120_000);
  afterAll(async () => {
    await store.drop();
    await rabbit.stop();
    removeFolder(folder);
  });

  interface Reading {
    heard: string[];
    stop(): Promise<void>;
  }

  async function read(service: (typeof services)[number], queue: QueueName): Promise<Reading> {
    const heard: string[] = [];
    const broker = createBroker(NAMESPACE, rabbit.url(service));
    const handle = (entries: { event: { taskId: string } }[]): Promise<void> =>
      Promise.resolve(void heard.push(...entries.map(({ event }) => event.taskId)));
    const consumer = new Consumer({
      broker,
      availability: alwaysAvailable,
      queue,
      prefetch: 10,
      maxBatchEntries: 10,
      logger: silentLogger,
      handle,
    });
    await broker.start();
    return { heard, stop: () => consumer.stop().then(() => broker.stop()) };
  }

  async function startRelay(): Promise<{ relay: Relay; broker: Broker }> {
    const broker = createBroker(NAMESPACE, rabbit.url('inventory'));
    const relay = new Relay({ databaseUrl: store.databaseUrl, broker, service: 'inventory', logger: silentLogger });
    await broker.start();
    await relay.start();
    return { relay, broker };
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

  test('services have the broker permissions they need, and none on queues of others', async () => {
    const { relay, broker } = await startRelay();
    const readers = [await read('tasks', 'tasks.outcomes'), await read('events', 'events.log')];
    const taskId = newId();
    await commit(store.database, 'inventory.transaction.status-changed.v1', [change(taskId)]);
    await eventually(() => Promise.resolve(readers.every(({ heard }) => heard.includes(taskId))), 'both readers');
    await relay.waitUntilDrained();

    const thief = await connect(rabbit.url('tasks'));
    const attempt = async (
      work: (channel: Awaited<ReturnType<typeof thief.createChannel>>) => Promise<unknown>,
    ): Promise<number | undefined> => {
      const channel = await thief.createChannel();
      channel.on('error', () => undefined);
      return ((await catchFailure(work(channel))) as { code?: number }).code;
    };
    const queue = brokerNames(NAMESPACE).queue('events.log');
    expect(await attempt((channel) => channel.consume(queue, () => undefined))).toBe(403);
    expect(await attempt((channel) => channel.purgeQueue(queue))).toBe(403);
    expect(await attempt((channel) => channel.deleteQueue(queue))).toBe(403);
    expect(await attempt((channel) => channel.assertQueue('other'))).toBe(403);
    await thief.close();
    for (const reader of readers) await reader.stop();
    await relay.stop();
    await broker.stop();
  });

  test('a broker restart loses no message, and events committed meanwhile arrive', async () => {
    const { relay, broker } = await startRelay();
    // Creates the queue, without a consumer.
    await read('tasks', 'tasks.outcomes').then((reader) =>
      eventually(() => broker.hasQueue(brokerNames(NAMESPACE).queue('tasks.outcomes'))).then(() => reader.stop()),
    );
    const [before, meanwhile] = [newId(), newId()] as const;
    await commit(store.database, REPORTED, [createReport(before)]);
    await relay.waitUntilDrained();
    await rabbit.stop();
    await commit(store.database, REPORTED, [createReport(meanwhile)]);
    rabbit = await startNode();
    const reader = await read('tasks', 'tasks.outcomes');
    await eventually(
      () => Promise.resolve(reader.heard.includes(before) && reader.heard.includes(meanwhile)),
      'both messages',
    );
    // In any order: the broker may return and redeliver one.
    expect(new Set(reader.heard)).toEqual(new Set([before, meanwhile]));
    await reader.stop();
    await relay.stop();
    await broker.stop();
  }, 120_000);
});
