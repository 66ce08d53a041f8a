import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findFreePort } from '@saleschannel/local-backends';
import { Network, type Caller } from '../src/fleet/network.ts';

const gateway: Caller = { name: 'gateway-1', index: 1, callees: ['tasks'] };
const other: Caller = { name: 'rbac-1', index: 2, callees: ['tasks'] };

let network: Network;
let port: number;
const servers: Server[] = [];
const sockets: Socket[] = [];
beforeEach(async () => {
  port = await findFreePort();
  network = await Network.open({ tasks: port });
  for (const caller of [gateway, other]) await network.addCaller(caller, (service, number) => `${service}-${number}`);
  for (const number of [1, 2]) {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.on('data', () => socket.write(String(number)));
    });
    await new Promise<void>((resolve) => server.listen(port, network.toHost(number), resolve));
    servers.push(server);
  }
});
afterEach(async () => {
  await network.stop();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Addresses at which a caller finds the replicas of a service, as gRPC resolves them. */
async function find(caller: Caller): Promise<string[]> {
  const { host, pathname } = new URL(network.findTarget(caller, 'tasks').replace('dns:', 'http:'));
  const resolver = new Resolver();
  resolver.setServers([host]);
  const name = pathname.slice(1).split(':')[0] ?? '-';
  return (await resolver.resolve4(name)).toSorted();
}

async function ask(address: string): Promise<string> {
  const socket = connect({ host: address, port });
  sockets.push(socket.on('error', () => undefined));
  socket.write('?');
  return String((await once(socket, 'data'))[0]);
}

test('each caller finds announced replicas at its own addresses, until they are withdrawn', async () => {
  for (const number of [1, 2]) network.announce('tasks', number);
  const [found, foundByOther] = [await find(gateway), await find(other)];
  expect(found).toHaveLength(2);
  expect(foundByOther).toHaveLength(2);
  expect(found.filter((address) => foundByOther.includes(address))).toEqual([]);
  expect((await Promise.all(found.map(ask))).toSorted()).toEqual(['1', '2']);
  network.withdraw('tasks', 2);
  expect(await find(gateway)).toHaveLength(1);
});

test('one side of one replica is cut alone', async () => {
  network.announce('tasks', 1);
  for (const { proxy } of network.listLinks('gateway-1', 'tasks')) proxy.blackhole();
  const [own] = await find(gateway);
  const [others] = await find(other);
  let hasAnswered = false;
  const asking = ask(String(own)).then((answer) => {
    hasAnswered = true;
    return answer;
  });
  expect(await ask(String(others))).toBe('1');
  expect(hasAnswered).toBe(false);
  network.restore();
  expect(await asking).toBe('1');
});

test('the callers of a replica are all processes that open connections to it', () => {
  const links = network.listLinks('tasks-1', 'callers');
  expect(links.map(({ from }) => from).toSorted()).toEqual(['gateway-1', 'rbac-1']);
});
