import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { startReceiver, status, type Received, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

const DAY_MS = 86_400_000;

/** Changes by owners win over the result of a message in flight. */

let webhooks: Webhooks;
let receiver: Receiver;
let channel: string;
beforeAll(async () => {
  webhooks = await startWebhooks();
});
afterAll(() => webhooks.stop());
beforeEach(async () => {
  channel = newId();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

/** Leaves the next message without an answer until `end` is called. */
function holdNextMessage() {
  const held = Promise.withResolvers<void>();
  const answers: ServerResponse[] = [];
  receiver.answer((_message, response) => {
    answers.push(response);
    held.resolve();
  });
  return {
    arrived: held.promise,
    end(code: number) {
      receiver.answer(status(200));
      for (const response of answers) status(code)({} as Received, response);
    },
  };
}

test.each([
  { by: 'a retry', afterMs: 6_000 },
  { by: 'enabling the endpoint again', afterMs: 6_000 },
  // Long enough to disable the endpoint.
  { by: 'enabling the endpoint again', afterMs: 5 * DAY_MS },
])(
  '$by makes a delivery due at once although its attempt in flight fails, after $afterMs ms of failures',
  async ({ by, afterMs }) => {
    receiver.answer(status(500));
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    webhooks.log.append(channel, 1);
    const delivery = await eventually(async () => (await webhooks.deliveries(channel, endpoint.id))[0]);
    const { arrived, end } = holdNextMessage();
    webhooks.clock.advance(afterMs);
    await arrived;
    const endpointId = endpoint.id;
    if (by === 'a retry')
      await webhooks.gateway.RetryDelivery({ endpointId, deliveryId: delivery.id }, await webhooks.as(channel));
    else for (const next of ['DISABLED', 'ENABLED']) await webhooks.update(channel, { endpointId, status: next });
    end(500);
    await webhooks.waitUntilCaughtUp(channel, endpointId);
    const { delivery: after, attempts } = await webhooks.getDelivery(channel, endpointId, delivery.id);
    expect(after).toMatchObject({ status: 'SUCCESS', attemptCount: 3 });
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 200]);
  },
);

test.each([{ ordered: false }, { ordered: true }])(
  '410 from the previous URL does not disable an endpoint with a new URL (ordered: $ordered)',
  async ({ ordered }) => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered });
    const { arrived, end } = holdNextMessage();
    const [id] = webhooks.log.append(channel, 1);
    await arrived;
    const url = `${receiver.url}/new`;
    await webhooks.update(channel, { endpointId: endpoint.id, url });
    end(410);
    const after = await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(after).toMatchObject({ status: 'ENABLED', url });
    expect(receiver.received.map(({ id: messageId, path }) => [messageId, path])).toEqual([
      [id, '/hook'],
      [id, '/hook/new'],
    ]);
  },
);
