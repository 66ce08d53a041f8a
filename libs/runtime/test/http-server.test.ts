import { once } from 'node:events';
import { createServer, Server, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { createHttpApp } from '../src/http-server.ts';
import { drainTogether, type App } from '../src/service.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

let app: App;
let drained: PromiseWithResolvers<void>;
let calls: string[];
const clients: Socket[] = [];
afterEach(async () => {
  drained.resolve();
  await app.stop();
  for (const client of clients.splice(0)) client.destroy();
});

const create = (onRequest: RequestListener): App =>
  createHttpApp(createServer(onRequest), {
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    drainSeconds: 5,
    wait: (ms) => {
      calls.push(`${ms} ms`);
      return drained.promise;
    },
    onDraining: () => void calls.push('draining'),
    onClosing: () => void calls.push('closing'),
  });

async function start(onRequest: RequestListener): Promise<void> {
  drained = Promise.withResolvers();
  calls = [];
  app = create(onRequest);
  await app.start();
}

async function open(bytes: string): Promise<Socket> {
  const [host, port] = app.address.split(':');
  const client = connect(Number(port), host);
  clients.push(client);
  await once(client, 'connect');
  client.write(bytes);
  return client;
}

const readAnswer = async (client: Socket): Promise<string> => String((await once(client, 'data'))[0]);

test('answers while it drains, and closes each connection after its response', async () => {
  await start((_request, response) => response.end('hello'));
  const [kept, idle] = [await open(GET), await open(GET)];
  expect(await readAnswer(kept)).toMatch(/\r\nConnection: keep-alive\r\n/);
  expect(await readAnswer(idle)).toMatch(/\r\nConnection: keep-alive\r\n/);
  const stopped = app.stop();
  expect(calls).toEqual(['draining', '5000 ms']);
  kept.write(GET);
  const [last, ofNewConnection] = await Promise.all([readAnswer(kept), readAnswer(await open(GET))]);
  expect(last).toMatch(/\r\nConnection: close\r\n[\s\S]*hello/);
  expect(ofNewConnection).toMatch(/\r\nConnection: close\r\n[\s\S]*hello/);
  await once(kept, 'close');
  expect(idle.closed).toBe(false);
  drained.resolve();
  await once(idle, 'close');
  await stopped;
  expect(calls).toEqual(['draining', '5000 ms', 'closing']);
});

test('an open response announces the end of its connection, and is not cut off', async () => {
  const slow = Promise.withResolvers<void>();
  let requests = 0;
  await start((_request, response) => {
    requests++;
    void slow.promise.then(() => response.end('at last'));
  });
  const client = await open(GET);
  await eventually(() => Promise.resolve(requests === 1), 'the request');
  drained.resolve();
  const stopped = app.stop();
  await eventually(() => Promise.resolve(calls.includes('closing')), 'the end of draining');
  slow.resolve();
  expect(await readAnswer(client)).toMatch(/\r\nConnection: close\r\n[\s\S]*at last/);
  await stopped;
});

test('a connection without a request counts as idle', async () => {
  await start((_request, response) => response.end('hello'));
  const silent = await open('');
  // Accepted after the silent connection.
  await readAnswer(await open(GET));
  const cut = jest.spyOn(Server.prototype, 'closeAllConnections');
  try {
    drained.resolve();
    await Promise.all([once(silent, 'close'), app.stop()]);
    expect(cut).not.toHaveBeenCalled();
  } finally {
    cut.mockRestore();
  }
});

test('stops at once if it never listened', async () => {
  await start(() => undefined);
  drained.resolve();
  await app.stop();
  calls.length = 0;
  await create(() => undefined).stop();
  expect(calls).toEqual(['draining', 'closing']);
});

test('servers that stop together drain at the same time', async () => {
  await start(() => undefined);
  const pair = drainTogether(
    create(() => undefined),
    create(() => undefined),
  );
  await pair.start();
  const stopped = pair.stop();
  expect(calls).toEqual(['draining', '5000 ms', 'draining', '5000 ms']);
  drained.resolve();
  await stopped;
});
