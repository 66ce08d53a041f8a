import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startProxy, type Proxy } from '../src/proxy.ts';

let server: Server;
let proxy: Proxy;
let served: Socket[];
const clients: Socket[] = [];
beforeEach(async () => {
  served = [];
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    served.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await startProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(async () => {
  for (const socket of [...clients.splice(0), ...served]) socket.destroy();
  await proxy.stop();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a connection through the proxy and returns both ends. */
async function open(): Promise<readonly [Socket, Socket]> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const { hostname, port } = new URL(proxy.url);
  const client = connect({ host: hostname, port: Number(port) });
  client.on('error', () => undefined);
  clients.push(client);
  const [other] = await accepted;
  return [client, other];
}

const next = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

test('a hole in one direction lets the other through, and later delivers what it held', async () => {
  const [client, other] = await open();
  proxy.blackhole('requests');
  client.write('lost');
  const answered = next(client);
  other.write('answer');
  expect(await answered).toBe('answer');
  expect(other.bytesRead).toBe(0);
  const arrived = next(other);
  proxy.restore();
  expect(await arrived).toBe('lost');
});

test('a slow link delivers all data in order, then the end', async () => {
  proxy.slow({ latencyMs: 5, bytesPerSecond: 100_000 });
  const [client, other] = await open();
  let text = '';
  other.on('data', (bytes: Buffer) => (text += bytes.toString()));
  const ended = once(other, 'end');
  const lines = Array.from({ length: 200 }, (_, line) => `line ${line}\n`);
  for (const line of lines) client.write(line);
  client.end();
  await ended;
  expect(text).toBe(lines.join(''));
});

test('a cut breaks connections, and new ones until it is restored', async () => {
  const [client] = await open();
  const closed = new Promise((resolve) => client.once('close', resolve));
  proxy.cut();
  await closed;
  proxy.restore();
  const [again, other] = await open();
  const arrived = next(other);
  again.write('hello');
  expect(await arrived).toBe('hello');
});

test('the proxy reads answers and listens at the given address', async () => {
  const seen: string[] = [];
  const target = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await proxy.stop();
  proxy = await startProxy(target, { host: '127.70.1.2', onAnswer: (bytes) => seen.push(bytes.toString()) });
  expect(new URL(proxy.url).hostname).toBe('127.70.1.2');
  const [client, other] = await open();
  const answered = next(client);
  other.write('answer');
  await answered;
  expect(seen).toEqual(['answer']);
});
