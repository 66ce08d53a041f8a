import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SecurityLog } from '@saleschannel/edge';
import { silentLogger, type App } from '@saleschannel/runtime';
import { eventually } from '@saleschannel/testing';
import { ConnectionAges, Connections, SlowReaders } from '../src/http/connections.ts';
import { createHttpServer, type HttpServerOptions } from '../src/http/server.ts';
import { connectTo, talk } from './support/http.ts';

const securityLog = new SecurityLog({ logger: silentLogger, now: () => 0 });
let server: App;
let clients: Socket[] = [];
let connections: Connections;
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await server.stop();
});

interface Limits {
  perAddress?: number;
  unauthenticatedPerAddress?: number;
  isProxy?: () => boolean;
}

/** The HTTP server with a handler of the test. */
async function start(onRequest: RequestListener, options: Partial<HttpServerOptions> = {}, limits: Limits = {}) {
  connections = new Connections({
    perAddress: 100,
    unauthenticatedPerAddress: 100,
    isProxy: () => false,
    securityLog,
    ...limits,
  });
  server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    portVariable: 'GATEWAY_PORT',
    maxConnections: 100,
    maxHeaderBytes: 16_384,
    headersTimeoutMs: 20_000,
    stalledTimeoutMs: 60_000,
    ages: new ConnectionAges({ ageMs: Infinity, now: () => 0 }),
    connections,
    slowReaders: new SlowReaders({ bytesPerMinute: 1, now: () => 0 }),
    securityLog,
    commonHeaders: {},
    onRequest,
    drainSeconds: 0,
    onDraining: () => undefined,
    onClosing: () => undefined,
    ...options,
  });
  await server.start();
}

async function client(bytes = ''): Promise<Socket> {
  const socket = connectTo(server.address);
  clients.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** Longer than a busy machine needs from a connection to its first bytes. */
const STALLED_MS = 1_000;

describe('a connection without a byte for too long', () => {
  test('closes if its response is not read', async () => {
    const closed = Promise.withResolvers<void>();
    await start(
      ({ socket }, response) => {
        socket.once('close', () => closed.resolve());
        // More than all buffers of the system hold.
        response.end(Buffer.alloc(64 * 1_024 * 1_024));
      },
      { stalledTimeoutMs: STALLED_MS },
    );
    (await client(GET)).pause();
    await closed.promise;
  });

  test('closes if a streamed response is not read', async () => {
    const closed = Promise.withResolvers<void>();
    await start(
      ({ socket }, response) => {
        socket.once('close', () => closed.resolve());
        const write = () => {
          while (response.write(Buffer.alloc(65_536))) continue;
          response.once('drain', write);
        };
        write();
      },
      { stalledTimeoutMs: STALLED_MS },
    );
    (await client(GET)).pause();
    await closed.promise;
  });

  test('closes if its body stops', async () => {
    const closed = Promise.withResolvers<void>();
    await start(
      (request) => {
        request.socket.once('close', () => closed.resolve());
        request.on('error', () => undefined).resume();
      },
      { stalledTimeoutMs: STALLED_MS },
    );
    await client('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345');
    await closed.promise;
  });

  test('closes if its headers stop', async () => {
    await start((_request, response) => response.end(), { headersTimeoutMs: STALLED_MS });
    expect(await talk(server.address, 'GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*\/problems\/request-timeout/,
    );
  });

  test('stays open while the service works', async () => {
    let silences = 0;
    await start(
      (request, response) => {
        request.socket.on('timeout', () => {
          silences += 1;
          if (silences === 3) response.end('done');
        });
      },
      { stalledTimeoutMs: STALLED_MS },
    );
    expect(await talk(server.address, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toMatch(/done$/);
    expect(silences).toBe(3);
  });
});

describe('connections of one address', () => {
  const answer: RequestListener = (_request, response) => response.end('hello');

  /** Opens a connection and waits for a response, so that it counts. */
  async function opened(): Promise<Socket> {
    const socket = await client(GET);
    await once(socket, 'data');
    return socket;
  }
  /** Returns whether a new connection gets a response. */
  const isAnswered = async (): Promise<boolean> => {
    const socket = await client(GET);
    return new Promise((resolve) => socket.once('data', () => resolve(true)).once('close', () => resolve(false)));
  };
  const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === 'open';

  test('without credentials make room, the oldest first', async () => {
    await start(answer, {}, { unauthenticatedPerAddress: 2 });
    const sockets = [await opened(), await opened(), await opened()];
    await eventually(async () => !isOpen(sockets[0] as Socket), 'the end of the oldest');
    expect(sockets.slice(1).map(isOpen)).toEqual([true, true]);
  });

  test('with valid credentials stay, and others make room for them', async () => {
    await start(
      (request, response) => {
        connections.markAuthenticated(request.socket);
        response.end('hello');
      },
      {},
      { unauthenticatedPerAddress: 1, perAddress: 3 },
    );
    const known = [await opened(), await opened(), await opened()];
    expect(known.map(isOpen)).toEqual([true, true, true]);
    const refused = await client();
    await eventually(async () => !isOpen(refused), 'the end of the fourth');
    expect(known.map(isOpen)).toEqual([true, true, true]);
    known[0]?.destroy();
    await eventually(() => isAnswered(), 'room for another');
  });

  test('from a trusted proxy do not count', async () => {
    await start(answer, {}, { unauthenticatedPerAddress: 1, perAddress: 1, isProxy: () => true });
    const sockets = [await opened(), await opened(), await opened()];
    expect(sockets.map(isOpen)).toEqual([true, true, true]);
  });
});

describe('an old connection', () => {
  const AGE_MS = 1_000;
  let now = 0;
  const ages = () => new ConnectionAges({ ageMs: AGE_MS, now: () => now });

  test('closes after its next response, which announces it', async () => {
    await start((_request, response) => response.end('hello'), { ages: ages() });
    const socket = await client(GET);
    const [young] = (await once(socket, 'data')) as [Buffer];
    expect(young.toString()).toMatch(/\r\nConnection: keep-alive\r\n[\s\S]*hello/);
    now = 2 * AGE_MS;
    socket.write(GET);
    const [old] = (await once(socket, 'data')) as [Buffer];
    expect(old.toString()).toMatch(/\r\nConnection: close\r\n[\s\S]*hello/);
    await once(socket, 'close');
  });

  /** Responds with the path once `slow` resolves. */
  async function startSlow(options: Partial<HttpServerOptions> = {}) {
    const slow = Promise.withResolvers<void>();
    const paths: (string | undefined)[] = [];
    await start(
      ({ url }, response) => {
        paths.push(url);
        void slow.promise.then(() => response.end(url));
      },
      { ages: ages(), ...options },
    );
    return { slow, paths };
  }

  test('does not execute requests behind its last one', async () => {
    const { slow, paths } = await startSlow();
    const socket = await client();
    now += 2 * AGE_MS;
    socket.write(GET.replace('/ ', '/last ') + GET.replace('/ ', '/behind '));
    await eventually(() => Promise.resolve(paths.length > 0), 'the request');
    let answers = '';
    socket.on('data', (bytes: Buffer) => (answers += bytes.toString()));
    slow.resolve();
    await once(socket, 'close');
    expect(paths).toEqual(['/last']);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });

  test('is any connection of a stopping process', async () => {
    const drained = Promise.withResolvers<void>();
    const { slow, paths } = await startSlow({ wait: () => drained.promise });
    const socket = await client();
    const stopped = server.stop();
    socket.write(GET.replace('/ ', '/last ') + GET.replace('/ ', '/behind '));
    await eventually(() => Promise.resolve(paths.length > 0), 'the request');
    slow.resolve();
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/\r\nConnection: close\r\n[\s\S]*\/last/);
    await once(socket, 'close');
    expect(paths).toEqual(['/last']);
    drained.resolve();
    await stopped;
  });

  test('stays open for earlier requests', async () => {
    const { slow, paths } = await startSlow();
    const socket = await client(GET);
    await eventually(() => Promise.resolve(paths.length === 1), 'the first request');
    now += 2 * AGE_MS;
    socket.write(GET);
    await eventually(() => Promise.resolve(paths.length === 2), 'the second request');
    let answers = '';
    socket.on('data', (bytes: Buffer) => (answers += bytes.toString()));
    slow.resolve();
    await eventually(() => Promise.resolve(answers.match(/HTTP\/1\.1 200/g)?.length === 2), 'both answers');
    expect(answers).not.toMatch(/Connection: close/);
  });
});
