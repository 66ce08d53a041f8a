import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  createTemporaryFolder,
  hashRabbitPassword,
  removeFolder,
  startRabbitMq,
  type BrokerUser,
  type RunningRabbitMq,
} from '../src/index.ts';
import { listProcesses, until } from './support/processes.ts';

// The part of AMQP 0-9-1 that these tests need. Only libs/messaging uses the product's client, amqplib.

const METHOD = 1;
const HEADER = 2;
const BODY = 3;
const FRAME_END = 0xce;
const HEADER_BYTES = 7;
const CONNECTION_CLOSE = '10.50';
const CHANNEL_CLOSE = '20.40';

const short = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const long = (value: number): Buffer => Buffer.concat([short(Math.floor(value / 0x10000)), short(value % 0x10000)]);
const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
const longText = (text: string | Buffer): Buffer => Buffer.concat([long(Buffer.byteLength(text)), Buffer.from(text)]);
const bits = (value: number): Buffer => Buffer.from([value]);

const frame = (type: number, channel: number, payload: Buffer): Buffer =>
  Buffer.concat([bits(type), short(channel), long(payload.length), payload, bits(FRAME_END)]);
const method = (channel: number, id: `${number}.${number}`, ...fields: Buffer[]): Buffer =>
  frame(METHOD, channel, Buffer.concat([...id.split('.').map((part) => short(Number(part))), ...fields]));

async function* readFrames(socket: Socket): AsyncGenerator<{ type: number; payload: Buffer }, undefined> {
  let pending = Buffer.alloc(0);
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk as Buffer]);
    while (pending.length > HEADER_BYTES && pending.length > HEADER_BYTES + pending.readUInt32BE(3)) {
      const end = HEADER_BYTES + pending.readUInt32BE(3);
      yield { type: pending.readUInt8(0), payload: pending.subarray(HEADER_BYTES, end) };
      pending = pending.subarray(end + 1);
    }
  }
}

interface AmqpConnection {
  declareQuorumQueue(name: string): Promise<void>;
  /** Resolves when the broker has confirmed the persistent message. */
  publish(queue: string, body: string): Promise<void>;
  /** Takes a message. Undefined from an empty queue. */
  take(queue: string): Promise<string | undefined>;
  close(): void;
}

/** Logs in and opens a channel. Each call rejects with the broker's reason if it is refused. */
async function login(url: string): Promise<AmqpConnection> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const [user, secret, vhost] = [username, password, pathname.slice(1)].map(decodeURIComponent) as [
    string,
    string,
    string,
  ];
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const frames = readFrames(socket);

  const expectMethod = async (id: string): Promise<Buffer> => {
    const { value } = await frames.next();
    if (!value) throw new Error('The broker closed the connection.');
    const got = `${value.payload.readUInt16BE(0)}.${value.payload.readUInt16BE(2)}`;
    if (got === CONNECTION_CLOSE || got === CHANNEL_CLOSE) {
      throw new Error(value.payload.subarray(7, 7 + value.payload.readUInt8(6)).toString());
    }
    if (value.type !== METHOD || got !== id)
      throw new Error(`Expected method ${id}, got ${got} in a frame of type ${value.type}`);
    return value.payload;
  };
  const call = (request: Buffer, answer: string): Promise<Buffer> => {
    socket.write(request);
    return expectMethod(answer);
  };

  await call(Buffer.from('AMQP\0\0\x09\x01', 'latin1'), '10.10');
  // authentication_failure_close: the broker reports why it refuses a login instead of closing the connection.
  const capability = Buffer.concat([shortText('authentication_failure_close'), Buffer.from('t\x01')]);
  const properties = Buffer.concat([shortText('capabilities'), Buffer.from('F'), longText(capability)]);
  await call(
    method(0, '10.11', longText(properties), shortText('PLAIN'), longText(`\0${user}\0${secret}`), shortText('en_US')),
    '10.30',
  );
  socket.write(method(0, '10.31', short(1), long(131_072), short(0)));
  await call(method(0, '10.40', shortText(vhost), shortText(''), bits(0)), '10.41');
  await call(method(1, '20.10', shortText('')), '20.11');
  await call(method(1, '85.10', bits(0)), '85.11');

  return {
    declareQuorumQueue: async (name) => {
      const type = Buffer.concat([shortText('x-queue-type'), Buffer.from('S'), longText('quorum')]);
      await call(method(1, '50.10', short(0), shortText(name), bits(2), longText(type)), '50.11');
    },
    publish: async (queue, body) => {
      socket.write(method(1, '60.40', short(0), shortText(''), shortText(queue), bits(0)));
      socket.write(
        frame(
          HEADER,
          1,
          Buffer.concat([short(60), short(0), long(0), long(Buffer.byteLength(body)), short(0x1000), bits(2)]),
        ),
      );
      await call(frame(BODY, 1, Buffer.from(body)), '60.80');
    },
    take: async (queue) => {
      const answer = call(method(1, '60.70', short(0), shortText(queue), bits(1)), '60.71');
      const found = await answer.catch((error: Error) => {
        if (error.message.includes('got 60.72')) return undefined;
        throw error;
      });
      if (!found) return undefined;
      await frames.next(); // the header
      return (await frames.next()).value?.payload.toString();
    },
    close: () => socket.destroy(),
  };
}

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
