import { expect, test } from '@jest/globals';
import { fetchToken } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import createClient, { type Client } from 'openapi-fetch';
import { basicAuthorization } from '../src/client.ts';
import type { components, paths } from '@saleschannel/gateway/openapi';
import { useSystem } from './support/system.ts';
import { buyer, newKey, operator, seller } from './support/api.ts';

/** Uses the contract alone: the generated client types everything below. */

const system = useSystem();

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
