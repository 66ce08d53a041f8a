import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import { makeTemporaryFolder, rabbitPasswordHash, removeFolder, startRabbitMq } from '../src/index.ts';
import type { BrokerUser, RunningRabbitMq } from '../src/index.ts';
import { processesOf } from './processes.ts';

const log = (): undefined => undefined;
const QUEUE = 'kept';

test('a password hash is base64(salt ‖ SHA-256(salt ‖ password))', () => {
  // The example of RabbitMQ's documentation: password test12, salt 908DC60A.
  expect(rabbitPasswordHash('test12', Buffer.from('908DC60A', 'hex'))).toBe('kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR');
  const hash = Buffer.from(rabbitPasswordHash('geheim ü'), 'base64');
  const salt = hash.subarray(0, 4);
  expect(hash.subarray(4)).toEqual(createHash('sha256').update(salt).update('geheim ü', 'utf8').digest());
});

describe('a private RabbitMQ', () => {
  const tasks: BrokerUser = { name: 'tasks', password: 'a/b: @&c', configure: '.*', write: '.*', read: '.*' };
  const events: BrokerUser = { name: 'events', password: 'secret', configure: '', write: '', read: `^${QUEUE}$` };
  let folder: string;
  let one: RunningRabbitMq;
  let two: RunningRabbitMq;

  const start = (name: string, users: readonly BrokerUser[]): Promise<RunningRabbitMq> =>
    startRabbitMq({ dataDirectory: join(folder, name), users, vhost: 'sales channel', removeWhenOrphaned: true, log });

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    [one, two] = await Promise.all([start('one', [tasks, events]), start('two', [tasks])]);
  }, 120_000);

  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    removeFolder(folder);
  }, 60_000);

  const login = async (server: RunningRabbitMq, user: string, password: string): Promise<void> => {
    const url = new URL(server.url('tasks'));
    url.username = user;
    url.password = encodeURIComponent(password);
    await (await connect(url.href)).close();
  };

  test('two stand side by side and know only their own users', async () => {
    expect(one.port).not.toBe(two.port);
    await login(one, 'events', 'secret');
    await expect(login(two, 'events', 'secret')).rejects.toThrow('ACCESS-REFUSED');
    await expect(login(one, 'guest', 'guest')).rejects.toThrow('ACCESS-REFUSED');
    expect(() => one.url('nobody')).toThrow("The broker has no user 'nobody'.");
  });

  test('keeps messages, takes changed users at the next start, and leaves no process behind', async () => {
    const publisher = await connect(one.url('tasks'));
    const channel = await publisher.createConfirmChannel();
    await channel.assertQueue(QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    channel.sendToQueue(QUEUE, Buffer.from('certificate'), { persistent: true });
    await channel.waitForConfirms();
    await publisher.close();

    await one.stop();
    expect(processesOf(join(folder, 'one'))).toEqual([]);
    expect(processesOf(join(folder, 'two'))).not.toEqual([]);

    one = await start('one', [{ ...tasks, password: 'changed' }, { ...events, read: '.*' }]);
    await expect(login(one, 'tasks', tasks.password)).rejects.toThrow('ACCESS-REFUSED');
    await login(one, 'tasks', 'changed');
    const reader = await connect(one.url('events'));
    const readingChannel = await reader.createChannel();
    const message = await readingChannel.get(QUEUE, { noAck: true });
    expect(message && message.content.toString()).toBe('certificate');
    readingChannel.on('error', () => undefined);
    await expect(readingChannel.assertQueue('other')).rejects.toThrow('ACCESS_REFUSED');
    await reader.close();
  }, 120_000);
});
