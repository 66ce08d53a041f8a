import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { basicAuthorization } from '../src/client.ts';
import { useSystem } from './support/system.ts';
import { buyer, waitForEvent, issuanceBody, issue, operator, seller, runTransfer, v1 } from './support/api.ts';

/** Slow or numerous reads of one sales channel, and their effect on others: raw clients, the whole system. */

/** Their list exceeds the network buffers between a server and a client that does not read. */
const BUNDLES = 9_000;
const READERS = 60;
/**
 * Buffers take four megabytes of each answer before it stalls, and writing that for all takes long on a busy machine.
 * Answers that are still being written also hold a slot at the ledger.
 */
const STANDING_AT_LEAST = 4;
const DEEP_PAGES = 60;
/** Maximum that the gateway may buffer per client. */
const HELD_AT_MOST = 256 * 1024;
const PREPARING_AT_MOST_MS = 240_000;

const system = useSystem();
const held = () => system().channels[0];
const other = () => system().channels[1];
const inventoryPath = (traderId: string): string => `${v1}/traders/${traderId}/inventory`;

interface Import {
  importId: string;
  status: string;
  linesRead: number;
  linesApplied: number;
}

beforeAll(async () => {
  const { registry } = system();
  const lines = Array.from({ length: BUNDLES }, () => JSON.stringify({ type: 'issuance', ...issuanceBody(held()) }));
  const { importId } = await registry.ok<Import>('POST', '/Registry/api/imports', {
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  // All lines may take long on a busy machine, but the next few never do.
  for (let state: Import | undefined; state?.status !== 'COMPLETED';) {
    const before = state?.linesRead ?? -1;
    state = await eventually(async () => {
      const now = await registry.ok<Import>('GET', `/Registry/api/imports/${importId}`);
      return (now.status === 'COMPLETED' || now.linesRead > before) && now;
    }, 'the next lines of the import');
    if (state.status === 'COMPLETED') expect(state.linesApplied).toBe(BUNDLES);
  }
}, PREPARING_AT_MOST_MS);

const open = new Set<Socket>();
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

/** Requests everything that a trader owns without reading the answer. */
function requestWithoutReading(): void {
  const { hostname, port } = new URL(system().baseUrl);
  const { id, secret } = operator(held()).apiKey;
  const lines = [
    `GET ${inventoryPath(seller(held()).id)} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${basicAuthorization(id, secret)}`,
  ];
  const socket = connect(Number(port), hostname, () => socket.write([...lines, '', ''].join('\r\n')));
  socket.pause().on('error', () => undefined);
  open.add(socket);
}

/** The gateway's side of all connections with requests from now on. */
function watchGateway(): { sockets: ReadonlySet<Socket>; end: () => void } {
  const sockets = new Set<Socket>();
  const onStart = (message: unknown): void => void sockets.add((message as { socket: Socket }).socket);
  subscribe('http.server.request.start', onStart);
  return { sockets, end: () => void unsubscribe('http.server.request.start', onStart) };
}

async function expectTrading(channel: ReturnType<typeof held>): Promise<void> {
  const client = system().createClient(operator(channel));
  const { range } = await issue(system(), channel);
  const task = await runTransfer(client, seller(channel).id, 'trade', {
    buyerId: buyer(channel).id,
    currency: 'EUR',
    assets: [{ ...range(1, 10), unitPrice: 1 }],
  });
  expect(task.status).toBe('SUCCESS');
  expect(await waitForEvent(client, task.responsePayload.id ?? '')).toMatchObject({ payload: { status: 'SUCCESS' } });
  expect(await client.ok('GET', `${v1}/traders/${buyer(channel).id}`)).toMatchObject({ id: buyer(channel).id });
}

async function expectOthersServed(): Promise<void> {
  await expectTrading(other());
  const client = system().createClient(operator(other()));
  expect(await client.ok('GET', inventoryPath(seller(other()).id))).not.toEqual([]);
}

test('clients that do not read use little memory, and do not block others', async () => {
  const gateway = watchGateway();
  for (let index = 0; index < READERS; index++) requestWithoutReading();
  const standing = (): Socket[] => [...gateway.sockets].filter(({ writableLength }) => writableLength > 0);
  await eventually(() => Promise.resolve(standing().length >= STANDING_AT_LEAST), 'clients whose answers stand');
  gateway.end();
  await expectOthersServed();
  await expectTrading(held());
  expect(standing().length).toBeGreaterThanOrEqual(STANDING_AT_LEAST);
  for (const { writableLength } of standing()) expect(writableLength).toBeLessThan(HELD_AT_MOST);
});

test('many concurrent deep pages are all answered, and do not block others', async () => {
  const reader = system().createClient(operator(held()));
  const path = inventoryPath(seller(held()).id);
  let query: Record<string, string> = { $limit: '1000' };
  for (let page = 0; page < BUNDLES / 1_000 - 1; page++) {
    const { headers } = await reader.send('GET', path, { query });
    const next = /^<[^?]+\?([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1];
    query = Object.fromEntries(new URLSearchParams(next));
  }
  const deep = Promise.all(Array.from({ length: DEEP_PAGES }, () => reader.ok<unknown[]>('GET', path, { query })));
  await expectOthersServed();
  for (const page of await deep) expect(page.length).toBeGreaterThan(900);
});
