import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { sendSlices } from '../src/http/answer.ts';
import { SlowReaders } from '../src/http/connections.ts';
import { connectTo } from './support/http.ts';
import { passTurns } from './support/turns.ts';

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
