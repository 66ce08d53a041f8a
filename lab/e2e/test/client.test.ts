import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { components, paths } from '@saleschannel/gateway/openapi';
import { fetchToken } from '@saleschannel/local';
import { findFreePort } from '@saleschannel/local-backends';
import { eventually } from '@saleschannel/testing';
import createClient, { type Client } from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import { basicAuthorization } from '../src/client.ts';
import { buyer, newKey, operator, seller, issue } from './support/api.ts';
import { useSystem } from './support/system.ts';

const system = useSystem();

const program = fileURLToPath(import.meta.resolve('@saleschannel/sdk/examples/quickstart.ts'));
const secret = `whsec_${Buffer.from('a secret of the quickstart').toString('base64')}`;

test('the quickstart trades, retires, reads its event and accepts a webhook in fewer than 60 lines', async () => {
  expect(readFileSync(program, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
  const [channel] = system().channels;
  await issue(system(), channel);
  const { id, secret: passphrase } = operator(channel).apiKey;
  const port = String(await findFreePort());
  const running = spawn(process.execPath, [program], {
    env: { BASE_URL: system().baseUrl, API_KEY_ID: id, PASSPHRASE: passphrase, WEBHOOK_SECRET: secret, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const printed: string[] = [];
    const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
    const next = async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The quickstart ended after ${printed.join(', ')}.`);
      printed.push(value);
      return value;
    };
    expect(await next()).toMatch(/^traded \w+$/);
    expect(await next()).toMatch(/^retired \w+$/);
    // The event of the retirement may be logged after the program has read the log.
    const line = await next();
    if (!line.startsWith('listening')) {
      expect(line).toMatch(/^seen SUCCESS /);
      await next();
    }
    const at = new Date();
    const body = JSON.stringify({ type: 'TEST', timestamp: at.toISOString(), data: { endpointId: 'w1' } });
    const send = async (signature: string): Promise<number> => {
      const time = String(Math.floor(at.getTime() / 1_000));
      const headers = { 'webhook-id': 'm1', 'webhook-timestamp': time, 'webhook-signature': signature };
      return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status;
    };
    expect(await send(new Webhook(secret).sign('m2', at, body))).toBe(400);
    expect(await send(new Webhook(secret).sign('m1', at, body))).toBe(204);
    expect(await next()).toBe('received m1 TEST');
  } finally {
    running.kill();
    await once(running, 'exit');
  }
});

/** Uses the contract alone: the generated client types everything below. */

/**
 * Nested query objects as JSON text, which the contract also accepts. The library only writes flat ones in brackets.
 */
const querySerializer = (query: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  ).toString();

/** Lists are also available in other media types. */
type Form = 'application/json';
const clientWith = (authorization: string): Client<paths, Form> =>
  createClient<paths, Form>({ baseUrl: system().baseUrl, headers: { authorization }, querySerializer });

/** Data of an answer that must be a success. */
function getData<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

test('the generated client trades, retires and reads events', async () => {
  const [channel] = system().channels;
  const { clientId, clientSecret } = operator(channel);
  const person = clientWith(`Bearer ${await fetchToken(system().demo.tokenEndpoint, clientId, clientSecret)}`);
  const key = getData(await person.POST('/authentication/users/me/api-keys'));
  const machine = clientWith(basicAuthorization(key.id, key.passphrase));

  const traderId = seller(channel).id;
  const assets = getData(
    await machine.GET('/saleschannel-services/v1/traders/{traderId}/inventory', { params: { path: { traderId } } }),
  );
  const asset = assets[0] as components['schemas']['ListableAsset'];
  const started = getData(
    await machine.POST('/saleschannel-services/v1/traders/{traderId}/inventory/trade', {
      params: { path: { traderId }, header: { 'Idempotency-Key': newKey() } },
      body: {
        buyerId: buyer(channel).id,
        currency: 'EUR',
        assets: [{ start: asset.start, end: asset.start, unitPrice: 149.5 }],
      },
    }),
  );
  const task = await eventually(async () => {
    const params = { path: { traderId, taskId: started.taskId } };
    const current = getData(
      await machine.GET('/saleschannel-services/v1/traders/{traderId}/inventory/trade/{taskId}', { params }),
    );
    return current.status !== 'PENDING' && current;
  }, 'the end of the task');
  expect(task.status).toBe('SUCCESS');

  const transactionId = task.responsePayload.id ?? '';
  const transaction = getData(
    await machine.GET('/saleschannel-services/v1/transactions/{transactionId}', {
      params: { path: { transactionId } },
    }),
  );
  expect(transaction).toMatchObject({
    type: 'TRADE',
    status: 'SUCCESS',
    sellerId: traderId,
    assets: [{ start: asset.start, end: asset.start, unitPrice: 149.5, volume: 1 }],
  });
  const event = await eventually(async () => {
    const query = {
      $filter: { createdAt: { gte: transaction.createdAt } },
      $orderBy: { createdAt: 'asc' as const },
      $limit: 100,
    };
    const events = getData(await machine.GET('/saleschannel-services/v1/events', { params: { query } }));
    return events.find(({ payload }) => payload.transactionId === transactionId);
  }, 'the event');
  expect(event).toMatchObject({ eventType: 'TRANSACTION_STATUS_CHANGE', payload: { status: 'SUCCESS' } });

  const refused = await machine.DELETE('/authentication/api-keys/{apiKeyId}', {
    params: { path: { apiKeyId: 'nobody' } },
  });
  expect(refused.error).toMatchObject({ type: '/problems/not-found', status: 404 });
  getData(await machine.DELETE('/authentication/api-keys/{apiKeyId}', { params: { path: { apiKeyId: key.id } } }));
});
