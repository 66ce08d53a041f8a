import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { ADMIN, AUDITOR, brokerUsers, completeSecrets, NAMESPACE, VHOST } from '@saleschannel/installation';
import { createTemporaryFolder, removeFolder, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';

/** Rights of the broker users of an installation. */

const START_LIMIT_MS = 120_000;
const EXCHANGE = `${NAMESPACE}.events`;
const LIVE_QUEUE = `${NAMESPACE}.events.log`;
const QUEUE = `${LIVE_QUEUE}.dead-letters`;
let folder: string;
let broker: RunningRabbitMq;
const connections: ChannelModel[] = [];

async function channelOf(user: string): Promise<Channel> {
  const connection = await connect(broker.url(user));
  connections.push(connection);
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  return channel;
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  broker = await startRabbitMq({
    dataDirectory: folder,
    users: brokerUsers(await completeSecrets({})),
    vhost: VHOST,
    log: () => undefined,
    removeWhenOrphaned: true,
  });
  const channel = await channelOf(ADMIN);
  await channel.assertQueue(QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
}, START_LIMIT_MS);
afterAll(async () => {
  for (const connection of connections) await connection.close().catch(() => undefined);
  await broker.stop();
  removeFolder(folder);
}, START_LIMIT_MS);

test('the auditor reads queue lengths', async () => {
  const channel = await channelOf(AUDITOR);
  expect(await channel.checkQueue(QUEUE)).toMatchObject({ messageCount: 0, consumerCount: 0 });
});

test('the console returns dead letters, and has no other right', async () => {
  const admin = await channelOf(ADMIN);
  await admin.assertQueue(LIVE_QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await admin.assertExchange(EXCHANGE, 'topic', { durable: true });
  const channel = await channelOf('console');
  expect(await channel.checkQueue(LIVE_QUEUE)).toMatchObject({ messageCount: 0 });
  expect(await channel.get(QUEUE)).toBe(false);
  channel.publish(EXCHANGE, 'nowhere', Buffer.from(''));
  for (const attempt of [
    (other: Channel) => other.get(LIVE_QUEUE),
    (other: Channel) => other.deleteQueue(QUEUE),
    (other: Channel) => other.assertQueue('another'),
    (other: Channel) => other.bindQueue(QUEUE, EXCHANGE, '#'),
  ])
    await expect(attempt(await channelOf('console'))).rejects.toMatchObject({ code: 403 });
});

const forbidden: readonly (readonly [string, (channel: Channel) => Promise<unknown>])[] = [
  ['reads a message', (channel) => channel.get(QUEUE)],
  ['consumes a queue', (channel) => channel.consume(QUEUE, () => undefined)],
  ['empties a queue', (channel) => channel.purgeQueue(QUEUE)],
  ['deletes a queue', (channel) => channel.deleteQueue(QUEUE)],
  ['makes a queue', (channel) => channel.assertQueue('another')],
  ['binds a queue', (channel) => channel.bindQueue(QUEUE, 'amq.topic', '#')],
];

test.each(forbidden)('the auditor never %s', async (_what, attempt) => {
  await expect(attempt(await channelOf(AUDITOR))).rejects.toMatchObject({ code: 403 });
});
