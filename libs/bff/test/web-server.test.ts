import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '@saleschannel/runtime';
import { createExpress, createWebServer } from '../src/web-server.ts';

const STALLED_MS = 300;
/** More than lies in the buffers of a connection. */
const LARGE = Buffer.alloc(32 * 1_048_576, 'x');

let server: App;
const givenUp = Promise.withResolvers<boolean>();

beforeAll(async () => {
  const app = createExpress([], false);
  app.post('/body', (request, response) => void request.resume().once('end', () => response.send('taken')));
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

const until = async (socket: Socket): Promise<string> => {
  let text = '';
  for await (const part of socket) text += String(part);
  return text;
};

test('a body that stays half sent ends its connection', async () => {
  const socket = await open('POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
  expect(await until(socket)).toBe('');
});

test('a connection that asks for nothing ends', async () => {
  expect(await until(await open('GET /la'))).toBe('');
});

test('an answer that nobody reads ends its connection', async () => {
  const socket = await open('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  expect(await givenUp.promise).toBe(true);
  socket.destroy();
});

test('an answer that takes its time goes on', async () => {
  const socket = await open('GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(await until(socket)).toContain('at last');
});
