import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createRandom } from '@saleschannel/testing/draw';
import { collectCalls } from '../src/checks/findings.ts';
import { Client } from '../src/workload/client.ts';
import { nowMs, readJournal, RunJournal } from '../src/workload/journal.ts';

interface Received {
  readonly gateway: number;
  readonly key: string | undefined;
  readonly body: string;
}

/** Queued answers of the two gateways, in order, whichever is called. Afterwards they answer 201. */
let answers: ((response: ServerResponse) => void)[];
let received: Received[];
let servers: Server[];
let folder: string;
let journal: RunJournal;
let client: Client;

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"taskId":"k1"}');
const reset = (response: ServerResponse): void => void response.destroy();

async function answer(gateway: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push({ gateway, key: request.headers['idempotency-key'] as string, body: await text(request) });
  (answers.shift() ?? status(201))(response);
}

beforeEach(async () => {
  [answers, received] = [[], []];
  folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  journal = new RunJournal(folder);
  servers = [0, 1].map((gateway) => createServer((request, response) => void answer(gateway, request, response)));
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client = new Client(urls, journal, createRandom(1));
});
afterEach(async () => {
  await client.close();
  for (const server of servers) server.close();
  await journal.close();
  rmSync(folder, { recursive: true });
});

const trade = { kind: 'trade', actor: 'c1', method: 'POST', path: '/trade', body: { assets: [1] } } as const;

test('a request with an unknown outcome is repeated at the other gateway, with the same key and body', async () => {
  answers = [reset, status(503), status(409), status(429, { 'retry-after': '1' })];
  expect(await client.send(trade)).toMatchObject({ status: 201, attempts: 5, body: { taskId: 'k1' } });
  expect(received.map(({ gateway }) => gateway)).toEqual([0, 1, 0, 1, 0]);
  expect(new Set(received.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
  const [call] = collectCalls(journal.entries);
  expect(call?.attempts.map((attempt) => attempt.status)).toEqual([undefined, 503, 409, 429, 201]);
  const [, , , limited, last] = call?.attempts ?? [];
  expect((last?.sentAt ?? 0) - (limited?.at ?? 0)).toBeGreaterThanOrEqual(999);
});

test('a rejection is an outcome', async () => {
  answers = [status(400)];
  expect(await client.send(trade)).toMatchObject({ status: 400, attempts: 1 });
});

test('a request sent to both gateways at once has one key', async () => {
  await client.send({ ...trade, isDuplicated: true });
  expect(received.map(({ gateway }) => gateway).toSorted()).toEqual([0, 1]);
  expect(new Set(received.map(({ key }) => key)).size).toBe(1);
});

test('an outcome that stays unknown is given up at the end, and recorded as such', async () => {
  answers = [reset];
  client.giveUpAt(nowMs());
  expect(await client.send(trade)).toBeUndefined();
  await journal.close();
  const [call] = collectCalls(readJournal(journal.file));
  expect(call).toMatchObject({ kind: 'trade', attempts: [{ reason: 'UND_ERR_SOCKET' }] });
  expect(call?.outcome).toBeUndefined();
  journal = new RunJournal(folder);
});
