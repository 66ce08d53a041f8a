import { promises as dns } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { shuffle, createRandom } from '@saleschannel/testing/draw';
import { Caller } from '../src/compat/caller.ts';
import { startDirectory } from '../src/compat/directory.ts';
import { Poller, findLosses, type Received } from '../src/compat/followers.ts';
import { Outcomes } from '../src/compat/outcomes.ts';
import { Transfers } from '../src/compat/transfers.ts';
import type { Market } from '../src/load/markets.ts';

const market = {
  credentials: { username: 'u', password: 'p' },
  sellerId: 's',
  buyerId: 'b',
  issuances: [{ issuanceId: 'i', nextSerial: 1n }],
} as unknown as Market;

const createEvent = (number: number, status = 'SUCCESS') => ({
  id: `e${number}`,
  createdAt: `2026-01-01T00:00:0${number}.000Z`,
  payload: { transactionId: `t${number}`, status },
});
const log = [createEvent(1), createEvent(2), createEvent(3)];

/** Answer of the gateway, which tests replace to lose data. */
let answer: (path: string) => { status: number; body: unknown; headers?: Record<string, string> };
let server: Server;
let outcomes: Outcomes;
let caller: Caller;

beforeEach(async () => {
  server = createServer((request, response) => {
    const { status, body, headers } = answer(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  outcomes = new Outcomes();
  outcomes.beginPhase('test');
  caller = new Caller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, outcomes);
});
afterEach(async () => {
  await caller.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Everything that clients received in a run without losses. */
async function receivedAll(): Promise<Received> {
  answer = () => ({ status: 200, body: log });
  const poller = new Poller(caller, market);
  await poller.catchUp();
  const endpoint = { path: '/ordered', ordered: true, createdAt: '2026-01-01T00:00:01.500Z', poller };
  return {
    pollers: [poller],
    streamers: [{ seen: new Set(log.map(({ id }) => id)) }],
    endpoints: [endpoint],
    transactions: ['t1', 't2', 't3'],
    arrived: () => ['e2', 'e3'],
    unsigned: 0,
  };
}

test('a run without losses has no findings', async () => {
  expect(await findLosses(caller, [market], await receivedAll())).toEqual([]);
});

test.each<[string, (told: Received) => Partial<Received>, string]>([
  ['an event missing from a stream', () => ({ streamers: [{ seen: new Set(['e1', 'e3']) }] }), 'such as e2'],
  ['a missing message', () => ({ arrived: () => ['e2'] }), 'such as e3'],
  ['messages in another order', () => ({ arrived: () => ['e3', 'e2'] }), 'another order'],
  ['a message without a signature', () => ({ unsigned: 1 }), 'no valid signature'],
  ['a transaction without a final event', () => ({ transactions: ['t4'] }), 't4 has 0 final events'],
])('the check finds %s', async (_, lose, expected) => {
  const told = await receivedAll();
  expect(await findLosses(caller, [market], { ...told, ...lose(told) })).toEqual([expect.stringContaining(expected)]);
});

test('the check finds an event that the poller missed, and a duplicate final event', async () => {
  const told = await receivedAll();
  answer = () => ({ status: 200, body: [...log, { ...createEvent(4), payload: createEvent(1).payload }] });
  expect(await findLosses(caller, [market], told)).toEqual([
    expect.stringContaining('such as e4'),
    expect.stringContaining('such as e4'),
    't1 has 2 final events',
  ]);
});

test('a 503 with Retry-After counts as a failure, and the transfer is sent again with its key', async () => {
  let requests = 0;
  answer = () =>
    requests++ === 0
      ? { status: 503, body: {}, headers: { 'retry-after': '1' } }
      : { status: 201, body: { taskId: 'k1', status: 'SUCCESS', responsePayload: { id: 't1' } } };
  const transfers = new Transfers(caller, outcomes);
  await transfers.start(market, 'trade');
  await transfers.settle();
  expect([...outcomes.reasons]).toEqual([['trade: 503 with Retry-After', 1]]);
  expect(transfers.accepted.map(({ taskId }) => taskId)).toEqual(['k1']);
});

test('a failed task and a transaction of two tasks are faults', async () => {
  const transfers = new Transfers(caller, outcomes);
  let tasks = 0;
  answer = (path) =>
    path.endsWith('/trade')
      ? { status: 201, body: { taskId: `k${tasks++}` } }
      : { status: 200, body: { status: path.endsWith('k2') ? 'FAILED' : 'SUCCESS', responsePayload: { id: 't1' } } };
  for (let sold = 0; sold < 3; sold++) await transfers.start(market, 'trade');
  await transfers.settle();
  expect(outcomes.faults).toEqual([
    expect.stringContaining('belongs to two tasks'),
    expect.stringContaining('k2 (trade) is FAILED'),
  ]);
});

test('a name resolves to the ready replicas, and the next look-up is current', async () => {
  const directory = await startDirectory();
  const target = new URL(directory.toTarget('traders', 1234).replace('dns:', 'http:'));
  const resolver = new dns.Resolver();
  resolver.setServers([target.host]);
  expect(target.pathname).toBe('/traders.compat:1234');
  directory.add('traders', '127.64.0.1');
  directory.add('traders', '127.64.0.2');
  expect((await resolver.resolve4('traders.compat')).toSorted()).toEqual(['127.64.0.1', '127.64.0.2']);
  directory.remove('traders', '127.64.0.1');
  expect(await resolver.resolve4('traders.compat')).toEqual(['127.64.0.2']);
  directory.close();
});

test('the same seed draws the same complete order', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const order = shuffle(numbers, createRandom(7));
  expect(order).toEqual(shuffle(numbers, createRandom(7)));
  expect(order).not.toEqual(shuffle(numbers, createRandom(8)));
  expect(order.toSorted((a, b) => a - b)).toEqual(numbers);
});
