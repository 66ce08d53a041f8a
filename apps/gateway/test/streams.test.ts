import { once } from 'node:events';
import {
  Agent,
  request as send,
  type IncomingMessage,
  createServer,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { eventually } from '@saleschannel/testing';
import { sendSlices } from '../src/http/answer.ts';
import { SlowReaders } from '../src/http/connections.ts';
import { fakes } from './support/fakes.ts';
import { expectProblem, passTurns, connectTo } from './support/http.ts';
import { asset, trader } from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
const agent = new Agent();
beforeAll(async () => {
  system = await startSystem();
});
afterAll(async () => {
  agent.destroy();
  await system.stop();
});
beforeEach(() => {
  Object.assign(system.rpcs.inventory, fakes.inventory);
  Object.assign(system.rpcs.traders, fakes.traders);
});

const inventoryPath = '/saleschannel-services/v1/traders/t1/inventory';

/** Sends a request and resolves with the response once its headers arrive. */
const open = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const [host = '', port = ''] = system.address.split(':');
    send({ host, port, path, agent, headers: { Authorization: system.user().authorization } }, resolve)
      .on('error', reject)
      .end();
  });

async function* chunks(
  count: number,
  bytes: number,
  onSent: () => void = () => undefined,
): AsyncGenerator<{ data: Buffer }> {
  yield { data: Buffer.from('[') };
  for (let index = 0; index < count; index += 1) {
    onSent();
    yield { data: Buffer.from(`${index === 0 ? '' : ','}"${'x'.repeat(bytes)}"`) };
  }
  yield { data: Buffer.from(']') };
}

describe('bytes rendered by inventory', () => {
  test('pass unchanged: numbers keep every digit', async () => {
    const text = '[{"unitPrice":0.10,"volume":12345678901234567890}]';
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from(text.slice(0, 20)) };
      yield { data: Buffer.from(text.slice(20)) };
    };
    expect(
      (await system.raw({ path: inventoryPath, headers: { Authorization: system.user().authorization } })).text,
    ).toBe(text);
  });

  test('arrive completely in any number', async () => {
    system.rpcs.inventory['ListInventory'] = () => chunks(2_000, 10_000);
    const answer = await system.raw({ path: inventoryPath, headers: { Authorization: system.user().authorization } });
    expect((JSON.parse(answer.text) as unknown[]).length).toBe(2_000);
  });

  test('wait for a slow reader', async () => {
    let sent = 0;
    const count = 400;
    system.rpcs.inventory['ListInventory'] = () => chunks(count, 100_000, () => (sent += 1));
    const answer = await open(inventoryPath);
    // The client does not read, so sending stops once the buffers are full, far below 40 MB.
    await eventually(async () => {
      const before = sent;
      await passTurns(500);
      return sent > 0 && sent === before;
    }, 'the end of sending');
    expect(sent).toBeLessThan(count / 2);
    let bytes = 0;
    for await (const piece of answer) bytes += (piece as Buffer).length;
    expect([sent, bytes]).toEqual([count, count * 100_002 + count + 1]);
  });

  test('end with the client, and the call is cancelled', async () => {
    let isEnded = false;
    system.rpcs.inventory['ListInventory'] = (_request, call) => {
      call.signal.addEventListener('abort', () => (isEnded = true));
      return chunks(100_000, 10_000);
    };
    const answer = await open(inventoryPath);
    answer.destroy();
    await eventually(async () => isEnded, 'the end of the call');
  });

  test('end with a client that disconnects before the first of them', async () => {
    const state = { isCalled: false, isEnded: false };
    system.rpcs.inventory['ListInventory'] = async function* (_request, call) {
      state.isCalled = true;
      await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      state.isEnded = true;
      yield { data: Buffer.from('[]') };
    };
    const [host = '', port = ''] = system.address.split(':');
    const request = send({
      host,
      port,
      path: inventoryPath,
      agent,
      headers: { Authorization: system.user().authorization },
    });
    request.on('error', () => undefined).end();
    await eventually(async () => state.isCalled);
    request.destroy();
    await eventually(async () => state.isEnded, 'the end of the call');
  });

  test('that fail before the first get a problem', async () => {
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield* [];
      throw new DomainError('not-found', 'The resource does not exist or is not visible to you.');
    };
    expectProblem(await system.call('listInventory'), 404, 'not-found');
  });

  test('that fail later break the connection', async () => {
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from('[') };
      yield { data: Buffer.from(JSON.stringify(asset)) };
      throw new DomainError('unavailable', 'away');
    };
    await expect(system.call('listInventory')).rejects.toThrow(/aborted|ECONNRESET|socket hang up/);
    expect((await system.call('getHealth')).status).toBe(200);
  });

  test('may be empty', async () => {
    system.rpcs.inventory['ListInventory'] = async function* () {
      yield { data: Buffer.from('[]') };
    };
    expect((await system.call('listInventory')).text).toBe('[]');
  });
});

describe('a list of messages', () => {
  test.each([0, 1, 2, 5_000])('of %i is one JSON array', async (count) => {
    system.rpcs.traders['ListTraders'] = async function* () {
      for (let index = 0; index < count; index += 1) yield { ...trader, id: `t${index}`, address: {} };
    };
    const answer = await system.call('listTraders');
    expect((JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => `t${index}`),
    );
  });

  test('omits missing members of an address', async () => {
    expect(JSON.parse((await system.call('listTraders')).text)).toContainEqual({
      id: 'c',
      businessId: 'NO-1',
      name: 'Fjordkarbon',
      address: { city: 'Oslo' },
    });
  });

  test('that fails before it begins gets a problem', async () => {
    system.rpcs.traders['ListTraders'] = async function* () {
      yield trader;
      throw new DomainError('unavailable', 'away', { retryAfterSeconds: 7 });
    };
    const answer = await system.call('listTraders');
    expectProblem(answer, 503, 'unavailable');
    expect(answer.headers['retry-after']).toBe('7');
  });
});

describe('slow readers', () => {
  /** Clients that read large responses slowly. The test sets the clock. */

  const MINUTE_MS = 60_000;
  const MIB = 1_048_576;

  const stops: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  /** A connection with a request, which reads only when the test says so. */
  async function ask(address: string): Promise<Socket> {
    const socket = connectTo(address);
    stops.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  }

  describe('a response that is read', () => {
    let nowMs: number;
    let slowReaders: SlowReaders;
    let server: Server;
    let serverSocket: Socket | undefined;

    async function start(onRequest: RequestListener): Promise<string> {
      nowMs = 0;
      serverSocket = undefined;
      // More than the network may buffer when the client reads its first byte.
      slowReaders = new SlowReaders({ bytesPerMinute: MIB, now: () => nowMs });
      server = createServer((request, response) => {
        serverSocket = request.socket;
        onRequest(request, response);
      });
      server.on('connection', (socket) => slowReaders.watch(socket));
      server.listen(0, '127.0.0.1');
      stops.push(() => server.close());
      await once(server, 'listening');
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
    const later = (ms: number): void => {
      nowMs += ms;
      slowReaders.check();
    };
    const large: RequestListener = (_request, response) =>
      void sendSlices(response, 200, {}, Buffer.alloc(64 * MIB)).catch(() => undefined);
    const isStuck = () =>
      eventually(async () => (serverSocket?.writableLength ?? 0) > 0, 'an answer that waits for its client');

    test('byte by byte is dropped after a minute', async () => {
      const client = await ask(await start(large));
      await isStuck();
      later(0);
      for (let ms = 0; ms < MINUTE_MS - 10_000; ms += 10_000) {
        client.read(1);
        await passTurns(10);
        later(10_000);
        expect(serverSocket?.destroyed).toBe(false);
      }
      later(10_000);
      expect(serverSocket?.destroyed).toBe(true);
    });

    test('fast enough is completed, regardless of its duration', async () => {
      const client = await ask(await start(large));
      let taken = 0;
      client.on('data', (piece: Buffer) => {
        taken += piece.length;
        if (taken % (8 * MIB) < piece.length) client.pause();
      });
      let minutes = 0;
      while (taken < 64 * MIB) {
        const before = taken;
        client.resume();
        await eventually(async () => client.isPaused() || taken > 64 * MIB, 'the next part');
        expect(taken).toBeGreaterThan(before);
        later(MINUTE_MS);
        minutes += 1;
        expect(serverSocket?.destroyed).toBe(false);
      }
      expect(minutes).toBeGreaterThan(5);
    });

    test('completely stays open while the service is slow', async () => {
      const client = await ask(await start((_request, response) => response.write('begun')));
      client.resume();
      await once(client, 'data');
      for (let minute = 0; minute < 10; minute += 1) later(MINUTE_MS);
      expect(serverSocket?.destroyed).toBe(false);
    });
  });
});
