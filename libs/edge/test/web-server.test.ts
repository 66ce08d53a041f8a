import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SecurityLog } from '../src/index.ts';
import { silentLogger, type App } from '@saleschannel/runtime';
import { createExpress, createWebServer } from '../src/pages/site.ts';

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
