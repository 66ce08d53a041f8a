import { describe, afterAll, beforeAll, expect, test } from '@jest/globals';
import { queues, routingKeyOf, type QueueName } from '@saleschannel/messaging';
import {
  testBrokerUrl,
  testNamespace,
  createTestDatabase,
  testServerUrl,
  type TestDatabase,
} from '@saleschannel/testing';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { Client } from 'pg';
import { messageFaults } from '../src/faults/broker.ts';
import { databaseFaults } from '../src/faults/database.ts';
import type { FaultOccurrence, Heal } from '../src/faults/fault.ts';
import type { Installation } from '../src/fleet/installation.ts';

describe('faults of the database', () => {
  const ROLE = 'chaos_role';
  const PASSWORD = 'chaos';

  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await asSuperuser(
      'create table task (id int)',
      `create role ${ROLE} login password '${PASSWORD}'`,
      `grant connect on database ${name} to ${ROLE}`,
    );
  });
  afterAll(async () => {
    await asSuperuser(`drop owned by ${ROLE}`, `drop role ${ROLE}`);
    await database.drop();
  });

  async function connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function asSuperuser(...statements: string[]): Promise<void> {
    const client = await connect(database.url);
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  /** Connects as the service does. */
  const asService = (): Promise<Client> => {
    const url = new URL(database.url);
    [url.username, url.password] = [ROLE, PASSWORD];
    return connect(url.href);
  };

  const installation = {
    findRole: () => ROLE,
    connectToDatabase: (service?: string) => connect(service === undefined ? testServerUrl() : database.url),
  } as unknown as Installation;

  const inject = async (kind: string, target: string): Promise<Heal> => {
    const fault = databaseFaults.find((each) => each.kind === kind);
    if (!fault) throw new Error(`There is no fault ${kind}.`);
    return fault.inject(installation, { target, forMs: 0, random: () => 0.5 });
  };

  const getErrorCode = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'none',
      (error: { code?: string }) => error.code,
    );

  test('a table is locked until the fault is healed', async () => {
    const heal = await inject('table-locked', 'tasks:task');
    const client = await connect(database.url);
    await client.query('set lock_timeout = 1');
    expect(await getErrorCode(client.query('select from task'))).toBe('55P03');
    await heal();
    await client.query('set lock_timeout = 0');
    expect(await getErrorCode(client.query('select from task'))).toBe('none');
    await client.end();
  });

  test('without slots sessions end, and none can start until the fault is healed', async () => {
    const client = await asService();
    const ended = new Promise((resolve) => client.once('end', resolve));
    const heal = await inject('slots-gone', 'tasks');
    await ended;
    expect(await getErrorCode(asService())).toBe('53300');
    await heal();
    await (await asService()).end();
  });

  test('long transactions are aborted until the fault is healed', async () => {
    const heal = await inject('transactions-limited', 'tasks');
    const client = await asService();
    expect(await getErrorCode(client.query('select pg_sleep(5)'))).toBe('25P04');
    await client.end().catch(() => undefined);
    await heal();
    const later = await asService();
    const { rows } = await later.query('show transaction_timeout');
    expect(rows).toEqual([{ transaction_timeout: '0' }]);
    await later.end();
  });

  test('a held snapshot stays open', async () => {
    const heal = await inject('snapshot-held', 'tasks');
    const client = await connect(database.url);
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and backend_xid is not null
      and pid <> pg_backend_pid()`,
    );
    expect(rows[0]?.count).toBe('1');
    await client.end();
    await heal();
  });
});

describe('faults of messages', () => {
  const QUEUE: QueueName = 'events.log';
  const namespace = testNamespace();
  const [exchange, queue] = [`${namespace}.events`, `${namespace}.${QUEUE}`];
  const keys = queues[QUEUE].events.map((event) => routingKeyOf(event, undefined));
  const notes: string[] = [];

  let connection: ChannelModel;
  let channel: ConfirmChannel;
  beforeAll(async () => {
    connection = await connect(testBrokerUrl());
    channel = await connection.createConfirmChannel();
    await channel.assertExchange(exchange, 'topic', { durable: true });
    await declare();
  });
  afterAll(async () => {
    await channel.deleteQueue(queue);
    await channel.deleteExchange(exchange);
    await connection.close();
  });

  async function declare(): Promise<void> {
    await channel.assertQueue(queue, { durable: true });
    for (const key of [...keys, queue]) await channel.bindQueue(queue, exchange, key);
  }

  /** Duration of a fault, in which messages are published. */
  const LASTS_MS = 500;

  /** Injects a fault, and publishes messages once its queue is bound to the exchange. */
  async function inject(kind: string, messages: readonly string[] = []): Promise<void> {
    const tapped = Promise.withResolvers<void>();
    const fault = messageFaults.find((each) => each.kind === kind);
    const hit: FaultOccurrence = { target: QUEUE, forMs: messages.length > 0 ? LASTS_MS : 0, random: () => 0.5 };
    const injecting = fault?.inject(installationWith(tapped.resolve), hit);
    if (messages.length > 0) await tapped.promise;
    for (const message of messages)
      channel.publish(exchange, String(keys[0]), Buffer.from(message), { persistent: true });
    await channel.waitForConfirms();
    await injecting;
  }

  const installationWith = (onBound: () => void): Installation => {
    const known = {
      place: { namespace },
      fleet: { listReplicas: () => [{ pause: () => notes.push('paused'), resume: () => notes.push('resumed') }] },
      log: () => undefined,
      async connectToBroker() {
        const own = await connect(testBrokerUrl());
        const ownChannel = await own.createConfirmChannel();
        const bind = ownChannel.bindQueue.bind(ownChannel);
        ownChannel.bindQueue = async (name, ...rest) => {
          const bound = await bind(name, ...rest);
          if (name !== queue) onBound();
          return bound;
        };
        return { connection: own, channel: ownChannel };
      },
    };
    return known as unknown as Installation;
  };

  /** Whether a message with the routing key reaches a queue. */
  async function isRouted(): Promise<boolean> {
    const returned = new Promise<boolean>((resolve) => channel.once('return', () => resolve(false)));
    channel.publish(exchange, String(keys[0]), Buffer.from('probe'), { mandatory: true });
    return Promise.race([returned, channel.waitForConfirms().then(() => true)]);
  }

  async function takeAll(): Promise<string[]> {
    const received: string[] = [];
    for (
      let message = await channel.get(queue, { noAck: true });
      message;
      message = await channel.get(queue, { noAck: true })
    )
      received.push(message.content.toString());
    return received.filter((text) => text !== 'probe');
  }

  test('messages are unroutable while bindings are deleted, until they are declared again', async () => {
    await inject('bindings-deleted');
    expect(await isRouted()).toBe(false);
    await declare();
    expect(await isRouted()).toBe(true);
    await takeAll();
  });

  test('a purged queue has lost its waiting messages, while its consumers are paused', async () => {
    channel.sendToQueue(queue, Buffer.from('lost'));
    await channel.waitForConfirms();
    await inject('queue-purged');
    expect(await takeAll()).toEqual([]);
    expect(notes.splice(0)).toEqual(['paused', 'resumed']);
  });

  test('a deleted queue no longer exists', async () => {
    await inject('queue-deleted');
    expect(await isRouted()).toBe(false);
    await declare();
  });

  test('delayed messages arrive once, after the delay', async () => {
    await inject('messages-delayed', ['first', 'second']);
    expect((await takeAll()).toSorted()).toEqual(['first', 'second']);
    expect(await isRouted()).toBe(true);
    await takeAll();
  });

  test('duplicated messages arrive three times', async () => {
    await inject('messages-duplicated', ['again']);
    expect(await takeAll()).toEqual(['again', 'again', 'again']);
  });
});
