import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { Webhook } from 'standardwebhooks';
import { testCoverage } from '../support/coverage.ts';
import { startReceiver, type Receiver } from '../support/followers.ts';
import { useSystem } from '../support/system.ts';
import { buyer, issue, operator, seller, runTransfer, v1 } from '../support/api.ts';

/** From a trade to the channel's webhook receiver, through the whole system. */

const system = useSystem();

interface Endpoint {
  readonly id: string;
  readonly status: string;
  readonly position: { readonly eventId: string } | null;
  readonly pendingDeliveries: number;
  readonly replay: object | null;
}
interface Delivery {
  readonly id: string;
  readonly messageId: string;
  readonly status: string;
  readonly attemptCount: number;
}
let receiver: Receiver;
let fault: string | undefined;
beforeAll(async () => {
  receiver = await startReceiver(() => fault);
});
afterAll(() => receiver.stop());

const path = `${v1}/webhook-endpoints`;

test('status changes arrive signed, as in the list of events', async () => {
  const [channel] = system().channels;
  const client = system().createClient(operator(channel));
  const trade = async (): Promise<void> => {
    const { range } = await issue(system(), channel);
    const assets = [{ ...range(1, 10), unitPrice: 1 }];
    await runTransfer(client, seller(channel).id, 'trade', { buyerId: buyer(channel).id, currency: 'EUR', assets });
  };
  const { id, secret } = await client.ok<Endpoint & { secret: string }>('POST', path, {
    body: { url: receiver.url, ordered: true },
  });
  await trade();
  const { received } = receiver;
  const [message] = await eventually(() => Promise.resolve(received.length > 0 && received));
  const event = (await client.ok<{ id: string }[]>('GET', `${v1}/events?$limit=1000`)).at(-1);
  const headers = message?.headers as Record<string, string>;
  expect(new Webhook(secret).verify(message?.body ?? 'none', headers)).toMatchObject({
    type: 'TRANSACTION_STATUS_CHANGE',
    data: event,
  });
  expect(headers).toMatchObject({ 'webhook-id': event?.id, 'user-agent': 'SalesChannel-Webhooks/1' });

  const find = () => client.ok<Endpoint>('GET', `${path}/${id}`);
  await eventually(async () => (await find()).position?.eventId === event?.id);
  expect(await client.ok<Endpoint[]>('GET', path)).toMatchObject([{ id, status: 'ENABLED' }]);
  await client.ok('POST', `${path}/${id}/secret`, { body: { overlapHours: 1 } });
  await client.ok('POST', `${path}/${id}/test`);
  await eventually(() => Promise.resolve(received.some(({ body }) => body.includes('"type":"TEST"'))));

  fault = 'out of order';
  await trade();
  await eventually(async () => (await find()).pendingDeliveries === 1);
  const filter = JSON.stringify({ status: { eq: 'PENDING' } });
  const [waiting] = await client.ok<Delivery[]>('GET', `${path}/${id}/deliveries`, { query: { $filter: filter } });
  fault = undefined;
  const delivery = `${path}/${id}/deliveries/${waiting?.id}`;
  await client.ok('POST', `${delivery}/retry`);
  await eventually(async () => (await client.ok<Delivery>('GET', delivery)).status === 'SUCCESS');
  const before = received.length;
  await client.ok('POST', `${path}/${id}/replay`, { body: { from: '2020-01-01T00:00:00Z' } });
  await eventually(async () => (await find()).replay === null && received.length > before);
  expect(await client.ok('PATCH', `${path}/${id}`, { body: { status: 'DISABLED' } })).toMatchObject({
    disabledReason: 'MANUAL',
  });
  await client.ok('DELETE', `${path}/${id}`);
  expect((await client.send('GET', `${path}/${id}`)).status).toBe(404);
});

testCoverage('webhooks');
