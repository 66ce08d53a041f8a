import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import {
  addListener,
  ADMIN,
  brokerListenerUsers,
  brokerUsers,
  completeSecrets,
  NAMESPACE,
  VHOST,
} from '@saleschannel/installation';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { eventually } from '@saleschannel/testing';

/** Runs docs/integrate/examples/status-consumer with the user that an operator creates for it. */

const START_LIMIT_MS = 120_000;
const LISTENER = 'status-consumer';
const EVENTS = `${NAMESPACE}.events`;
const TYPE = 'inventory.transaction.status-changed.v1';
const QUEUE = `${LISTENER}.transactions`;
const DEAD_LETTERS = `${QUEUE}.dead-letters`;
const OTHERS_QUEUE = `${NAMESPACE}.events.log`;
const example = new URL('../../../docs/integrate/examples/status-consumer/main.ts', import.meta.url).pathname;

let folder: string;
let broker: RunningRabbitMq;
const connections: ChannelModel[] = [];
const running = new Set<ChildProcess>();

async function channelOf(user: string): Promise<ConfirmChannel> {
  const connection = await connect(broker.url(user));
  connections.push(connection);
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => undefined);
  return channel;
}

/** Resolves when the program listens. */
async function startExample(): Promise<{ readonly child: ChildProcess; readonly lines: readonly string[] }> {
  const child = spawn(process.execPath, [example], {
    env: { ...process.env, AMQP_URL: broker.url(LISTENER), INBOX_FILE: join(folder, 'inbox.db') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr, { end: false });
  running.add(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', (line) => lines.push(line));
  await eventually(() => Promise.resolve(lines.includes('listening')), 'the example to listen');
  return { child, lines };
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  running.delete(child);
  return code;
}

function inbox(): { eventIds: string[]; latest: Record<string, string> } {
  const database = new DatabaseSync(join(folder, 'inbox.db'), { readOnly: true, timeout: 10_000 });
  try {
    const ids = database.prepare('select event_id as id from inbox order by 1').all() as { id: string }[];
    const rows = database.prepare('select transaction_id as id, status from latest').all() as Record<string, string>[];
    return {
      eventIds: ids.map(({ id }) => id),
      latest: Object.fromEntries(rows.map(({ id = '', status = '' }) => [id, status])),
    };
  } finally {
    database.close();
  }
}

const entry = (eventId: string, changes: object = {}): object => ({
  eventId,
  salesChannelId: 'channel',
  sequence: '1',
  transactionId: `transaction-of-${eventId}`,
  taskId: 'task',
  status: 'SUCCESS',
  reason: null,
  effectiveAt: '2025-03-04T10:02:11.318Z',
  traceparent: '',
  ...changes,
});

/** Publishes as inventory does. */
async function publish(body: string, type = TYPE): Promise<void> {
  const channel = await channelOf('inventory');
  channel.publish(EVENTS, TYPE, Buffer.from(body), { persistent: true, mandatory: true, type });
  await channel.waitForConfirms();
}
const publishEntries = (...entries: object[]): Promise<void> => publish(JSON.stringify({ entries }));

const deadLetter = async (): Promise<{ body: string; reason: unknown }> => {
  const channel = await channelOf(LISTENER);
  const letter = await eventually(() => channel.get(DEAD_LETTERS, { noAck: true }), 'a dead letter');
  return { body: letter.content.toString(), reason: letter.properties.headers?.['reason'] as unknown };
};

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const secrets = await completeSecrets(addListener({}, `${LISTENER}=${TYPE}`));
  broker = await startRabbitMq({
    dataDirectory: join(folder, 'rabbitmq'),
    users: [...brokerUsers(secrets), ...brokerListenerUsers(secrets)],
    vhost: VHOST,
    log: () => undefined,
    removeWhenOrphaned: true,
  });
  const channel = await channelOf(ADMIN);
  await channel.assertExchange(EVENTS, 'topic', { durable: true });
  await channel.assertExchange(`${NAMESPACE}.dead-letters`, 'direct', { durable: true });
  await channel.assertQueue(OTHERS_QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
}, START_LIMIT_MS);
afterAll(async () => {
  for (const child of running) await end(child, 'SIGKILL');
  for (const connection of connections) await connection.close().catch(() => undefined);
  await broker.stop();
  removeFolder(folder);
}, START_LIMIT_MS);

test('an event counts once, the newest status stays, and a crash loses nothing', async () => {
  const { child } = await startExample();
  await publishEntries(entry('a'), entry('b', { effectiveAt: '2025-03-04T11:00:00.000Z', somethingNew: true }));
  await publishEntries(
    entry('a', { status: 'FAILED' }),
    entry('older', { transactionId: 'transaction-of-b', status: 'REJECTED' }),
  );
  await eventually(() => Promise.resolve(inbox().eventIds.length === 3), 'three events');
  expect(inbox().latest).toEqual({ 'transaction-of-a': 'SUCCESS', 'transaction-of-b': 'SUCCESS' });

  await end(child, 'SIGKILL');
  await publishEntries(entry('c'));
  const again = await startExample();
  await publishEntries(entry('d'));
  await eventually(() => Promise.resolve(inbox().eventIds.includes('d')), 'the events sent while it was down');
  expect(inbox().eventIds).toEqual(['a', 'b', 'c', 'd', 'older']);
  expect(await end(again.child, 'SIGTERM')).toBe(0);
});

test('only unreadable messages become dead letters of the listener', async () => {
  const { child } = await startExample();
  await publishEntries(entry('e'), { eventId: 'unreadable-1', status: 'NEITHER' }, entry('f'));
  await eventually(() => Promise.resolve(inbox().eventIds.includes('f')), 'the others');
  const { body, reason } = await deadLetter();
  expect({ body: JSON.parse(body) as unknown, reason }).toEqual({
    body: { eventId: 'unreadable-1', status: 'NEITHER' },
    reason: 'unreadable',
  });
  await publish('no JSON');
  expect(await deadLetter()).toEqual({ body: '"no JSON"', reason: 'unreadable' });
  await publish(JSON.stringify({ entries: [entry('g')] }), 'of.another.type');
  expect((await deadLetter()).body).toContain('g');
  expect(inbox().eventIds).not.toContain('g');
  await end(child, 'SIGTERM');
});

test('it stops cleanly and immediately, also while a message waits for a retry', async () => {
  const { child } = await startExample();
  const database = new DatabaseSync(join(folder, 'inbox.db'), { timeout: 10_000 });
  const output = once(child.stderr as NonNullable<typeof child.stderr>, 'data');
  database.exec('alter table latest rename to gone');
  try {
    await publishEntries(entry('waits'));
    expect(String(await output)).toContain('no such table');
    expect(await end(child, 'SIGTERM')).toBe(0);
  } finally {
    database.exec('alter table gone rename to latest');
    database.close();
  }
  const again = await startExample();
  await eventually(() => Promise.resolve(inbox().eventIds.includes('waits')), 'what waited');
  await end(again.child, 'SIGTERM');
});

test('a message that is returned too often becomes a dead letter', async () => {
  const channel = await channelOf(LISTENER);
  // The example may have stopped between commit and acknowledgement, which returns the message to the queue.
  await channel.purgeQueue(QUEUE);
  await publishEntries(entry('unreadable-1'));
  const isDead = async (): Promise<boolean> => {
    const message = await channel.get(QUEUE);
    if (message) channel.nack(message);
    return (await channel.checkQueue(DEAD_LETTERS)).messageCount > 0;
  };
  await eventually(isDead, 'a dead letter of the message');
  expect((await deadLetter()).body).toContain('unreadable-1');
});

test('the example uses the tested versions', () => {
  const versionsIn = (path: string): Record<string, string> =>
    (
      JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as {
        dependencies: Record<string, string>;
      }
    ).dependencies;
  expect(versionsIn('package.json')).toMatchObject(versionsIn('docs/integrate/examples/status-consumer/package.json'));
});

const refused: readonly (readonly [string, (channel: ConfirmChannel) => Promise<unknown>])[] = [
  [
    'publishes an event',
    async (channel) => {
      channel.publish(EVENTS, TYPE, Buffer.from('{"entries":[]}'));
      await channel.waitForConfirms();
    },
  ],
  [
    'writes to the dead letters of others',
    async (channel) => {
      channel.publish(`${NAMESPACE}.dead-letters`, OTHERS_QUEUE, Buffer.from(''));
      await channel.waitForConfirms();
    },
  ],
  [
    'writes to queues past the exchanges',
    async (channel) => {
      channel.sendToQueue(OTHERS_QUEUE, Buffer.from(''));
      await channel.waitForConfirms();
    },
  ],
  ['hears other events', (channel) => channel.bindQueue(QUEUE, EVENTS, 'tasks.transfer.requested.v1.0')],
  ['hears all events', (channel) => channel.bindQueue(QUEUE, EVENTS, '#')],
  ['reads the queue of another', (channel) => channel.get(OTHERS_QUEUE)],
  ['consumes the queue of another', (channel) => channel.consume(OTHERS_QUEUE, () => undefined)],
  ['empties the queue of another', (channel) => channel.purgeQueue(OTHERS_QUEUE)],
  ['deletes the queue of another', (channel) => channel.deleteQueue(OTHERS_QUEUE)],
  ['takes an event away from another', (channel) => channel.unbindQueue(OTHERS_QUEUE, EVENTS, TYPE)],
  ['makes a queue of another name', (channel) => channel.assertQueue(`${NAMESPACE}.tasks.outcomes`)],
  ['deletes the exchange', (channel) => channel.deleteExchange(EVENTS)],
  [
    'lets its dead letters go to others',
    (channel) => channel.assertQueue(`${LISTENER}.other`, { arguments: { 'x-dead-letter-exchange': EVENTS } }),
  ],
];

test.each(refused)('it never %s', async (_what, attempt) => {
  const owner = await channelOf(LISTENER);
  await owner.assertExchange(`${LISTENER}.exists`, 'fanout');
  const channel = await channelOf(LISTENER);
  const closed = once(channel, 'error') as Promise<[{ code?: number }]>;
  await attempt(channel).catch(() => undefined);
  expect((await closed)[0].code).toBe(403);
});
