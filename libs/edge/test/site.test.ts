import { once } from 'node:events';
import { connect, type Socket, type AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger, type App } from '@saleschannel/runtime';
import express from 'express';
import { SecurityLog } from '../src/index.ts';
import { createExpress, createWebServer } from '../src/pages/site.ts';
import { CookieJar } from '../src/pages/index.ts';

const STALLED_MS = 300;
/** Exceeds the buffers of a connection. */
const LARGE = Buffer.alloc(32 * 1_048_576, 'x');

let server: App;
const givenUp = Promise.withResolvers<boolean>();

beforeAll(async () => {
  const app = createExpress([], false);
  app.post('/body', (request, response) => void request.resume().once('end', () => response.send('taken')));
  app.post('/unread', (_request, response) => void response.status(413).send('too large'));
  app.get('/large', (_request, response) => {
    response.once('close', () => givenUp.resolve(!response.writableFinished));
    response.send(LARGE);
  });
  app.get('/slow', (request, response) => {
    let silences = 0;
    request.socket.on('timeout', () => {
      silences++;
      if (silences === 3) response.end('at last');
    });
  });
  server = createWebServer({
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    app,
    securityLog: new SecurityLog({ logger: silentLogger, now: () => 0 }),
    stalledMs: STALLED_MS,
    drainSeconds: 0,
    onDraining: () => undefined,
    onClosing: () => undefined,
  });
  await server.start();
});
afterAll(() => server.stop());

async function open(request: string): Promise<Socket> {
  const [host, port] = server.address.split(':');
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

const readAll = async (socket: Socket): Promise<string> => {
  let text = '';
  for await (const part of socket) text += String(part);
  return text;
};

test('closes the connection of an incomplete body', async () => {
  const socket = await open('POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
  expect(await readAll(socket)).toBe('');
});

test('closes a connection without a request', async () => {
  expect(await readAll(await open('GET /la'))).toBe('');
});

test('closes a connection whose answer is not read', async () => {
  const socket = await open('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  expect(await givenUp.promise).toBe(true);
  socket.destroy();
});

test('keeps a connection while its answer is in progress', async () => {
  const socket = await open('GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await readAll(socket)).toContain('at last');
});

test('answers bytes that are not a request with problem details', async () => {
  const answer = await readAll(await open('GET / HTTP/1.1\r\nHost\r\n\r\n'));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('Content-Type: application/problem+json');
  expect(answer).toContain('/problems/malformed-request');
});

test('answers too large headers with problem details', async () => {
  const answer = await readAll(await open(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`));
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('/problems/headers-too-large');
});

test('answers the sender of an unread body, and reads only a part of it', async () => {
  const body = Buffer.alloc(4 * 1_048_576, 'x');
  const answer = await fetch(`http://${server.address}/unread`, { method: 'POST', body });
  expect([answer.status, await answer.text()]).toEqual([413, 'too large']);
  const socket = await open('POST /unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).resume();
  const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`;
  const pump = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pump);
  pump();
  await closed;
  expect(socket.bytesWritten).toBeLessThan(64 * 1_048_576);
});

describe('cookies', () => {
  const jar = new CookieJar({ application: 'app', isSecure: true });
  const options = { sameSite: 'strict', maxAgeSeconds: 60 } as const;

  let server: Server;
  let url = 'not yet';

  beforeAll(async () => {
    const app = express();
    app.get('/write/:length', (request, response) => {
      jar.writePieces(response, 'session', 'x'.repeat(Number(request.params.length)), options);
      response.end();
    });
    app.get('/read', (request, response) => void response.json({ length: jar.readPieces(request, 'session')?.length }));
    app.use(((_error, _request, response, _next) => void response.status(500).end()) as express.ErrorRequestHandler);
    server = await new Promise<Server>((resolve) => {
      const started = app.listen(0, '127.0.0.1', () => resolve(started));
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  const written = async (length: number): Promise<string[]> =>
    (await fetch(`${url}/write/${length}`)).headers.getSetCookie();
  const toPair = (line: string): string => line.split('; ')[0] ?? line;
  const kept = (lines: readonly string[]): string[] => lines.filter((line) => !line.includes('Max-Age=0')).map(toPair);
  const readLength = async (cookies: readonly string[]): Promise<unknown> =>
    (await fetch(`${url}/read`, { headers: { cookie: cookies.join('; ') } })).json();

  test.each([0, 1, 3_799, 3_800, 3_801, 12_345, 15_000])('%p characters are read unchanged', async (length) => {
    const lines = await written(length);
    for (const line of lines) {
      expect(line.length).toBeLessThan(4_096);
      expect(line).toMatch(/^__Host-app-session\.\d=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    }
    // Superfluous cookies are removed.
    expect(lines).toHaveLength(5);
    expect(await readLength(kept(lines))).toEqual(length === 0 ? {} : { length });
  });

  test('a missing piece makes the value undefined', async () => {
    const [first, ...others] = kept(await written(12_345));
    expect(await readLength(others)).toEqual({});
    expect(await readLength([String(first), ...others.slice(1)])).toEqual({});
  });

  test('ignores a piece of a previous value after the last one', async () => {
    const [, second] = kept(await written(5_000));
    const [first] = kept(await written(100));
    expect(await readLength([String(first), String(second)])).toEqual({ length: 100 });
  });

  test('rejects a value that is too long for cookies', async () => {
    expect((await fetch(`${url}/write/19001`)).status).toBe(500);
  });

  test('ignores cookies of another application, or of plain HTTP', async () => {
    expect(await readLength(['__Host-other-session.0=1~abc', 'app-session.0=1~abc'])).toEqual({});
  });
});
