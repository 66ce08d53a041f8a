import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createTemporaryFolder, hashRabbitPassword, removeFolder, startRabbitMq } from '../src/index.ts';
import type { BrokerUser, RunningRabbitMq } from '../src/index.ts';
import { login } from './support/amqp.ts';
import { listProcesses, until } from './support/processes.ts';

/** Starting servers takes seconds, or many under load. */
jest.setTimeout(120_000);

const log = (): undefined => undefined;
const QUEUE = 'kept';

test('a password hash is base64(salt ‖ SHA-256(salt ‖ password))', () => {
  // Example of RabbitMQ's documentation: password test12, salt 908DC60A.
  expect(hashRabbitPassword('test12', Buffer.from('908DC60A', 'hex'))).toBe(
    'kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR',
  );
  const hash = Buffer.from(hashRabbitPassword('geheim ü'), 'base64');
  const salt = hash.subarray(0, 4);
  expect(hash.subarray(4)).toEqual(createHash('sha256').update(salt).update('geheim ü', 'utf8').digest());
});

describe('a private RabbitMQ', () => {
  const tasks: BrokerUser = { name: 'tasks', password: 'a/b: @&c', configure: '.*', write: '.*', read: '.*' };
  const events: BrokerUser = { name: 'events', password: 'secret', configure: '', write: '', read: '' };
  let folder: string;
  let one: RunningRabbitMq;
  let two: RunningRabbitMq;

  const start = (name: string, users: readonly BrokerUser[]): Promise<RunningRabbitMq> =>
    startRabbitMq({ dataDirectory: join(folder, name), users, vhost: 'sales channel', removeWhenOrphaned: true, log });

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    [one, two] = await Promise.all([start('one', [tasks, events]), start('two', [tasks])]);
  });

  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    removeFolder(folder);
  });

  const toUrl = (server: RunningRabbitMq, user: string, password: string): string => {
    const url = new URL(server.url('tasks'));
    url.username = user;
    url.password = encodeURIComponent(password);
    return url.href;
  };

  test('two nodes run at the same time and know only their own users', async () => {
    expect(one.port).not.toBe(two.port);
    (await login(one.url('events'))).close();
    await expect(login(toUrl(two, 'events', 'secret'))).rejects.toThrow('ACCESS_REFUSED');
    await expect(login(toUrl(one, 'guest', 'guest'))).rejects.toThrow('ACCESS_REFUSED');
    const forbidden = await login(one.url('events'));
    await expect(forbidden.take(QUEUE)).rejects.toThrow(/ACCESS_REFUSED|NOT_FOUND/);
    forbidden.close();
    expect(() => one.url('missing')).toThrow("The broker has no user 'missing'.");
  });

  test('keeps messages, applies changed users at the next start, and leaves no process behind', async () => {
    const publisher = await login(one.url('tasks'));
    await publisher.declareQuorumQueue(QUEUE);
    await publisher.publish(QUEUE, 'certificate');
    publisher.close();

    await one.stop();
    // Erlang's helpers end by themselves after it.
    await until(() => listProcesses(join(folder, 'one')).length === 0);
    expect(listProcesses(join(folder, 'two'))).not.toEqual([]);

    one = await start('one', [
      { ...tasks, password: 'changed' },
      { ...events, read: `^${QUEUE}$` },
    ]);
    await expect(login(toUrl(one, 'tasks', tasks.password))).rejects.toThrow('ACCESS_REFUSED');
    (await login(toUrl(one, 'tasks', 'changed'))).close();
    const reader = await login(one.url('events'));
    await expect(reader.take(QUEUE)).resolves.toBe('certificate');
    await expect(reader.take(QUEUE)).resolves.toBeUndefined();
    await expect(reader.declareQuorumQueue('other')).rejects.toThrow('ACCESS_REFUSED');
    reader.close();
  });
});
