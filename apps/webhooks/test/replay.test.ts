import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually, catchFailure } from '@saleschannel/testing';
import { idsOf, sorted, startReceiver, status, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

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

const at = (index: number): string => String(webhooks.log.events(channel)[index]?.createdAt);

const replay = async (endpointId: string, from: string, fields: { to?: string; failedOnly?: boolean } = {}) =>
  webhooks.gateway.ReplayEvents({ endpointId, from, ...fields }, await webhooks.as(channel));

test.each([{ ordered: false }, { ordered: true }])(
  'events are delivered again, with the same bodies (ordered: $ordered)',
  async ({ ordered }) => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered });
    const ids = webhooks.log.append(channel, 250);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    const bodies = new Map(receiver.received.map(({ id, body }) => [id, body]));
    receiver.received.length = 0;
    await replay(endpoint.id, at(20), { to: at(230) });
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    const expected = ids.slice(20, 230);
    if (ordered) expect(idsOf(receiver.received)).toEqual(expected);
    else expect(sorted(idsOf(receiver.received))).toEqual(sorted(expected));
    for (const { id, body } of receiver.received) expect(body).toBe(bodies.get(id));
    const deliveries = await webhooks.deliveries(channel, endpoint.id);
    expect(deliveries).toHaveLength(250);
    expect(deliveries.filter(({ attemptCount }) => attemptCount === 2)).toHaveLength(210);
  },
);

test('events older than the endpoint can be replayed, and each message names the preceding event', async () => {
  const before = webhooks.log.append(channel, 5);
  const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
  await replay(endpoint.id, at(1), { to: at(4) });
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  expect(idsOf(receiver.received)).toEqual(before.slice(1, 4));
  const named = receiver.received.map(({ body }) => (JSON.parse(body) as { previousEventId: string }).previousEventId);
  expect(named).toEqual(before.slice(0, 3));
});

test.each(['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000000001+01:00'])(
  'a replay may start at %s',
  async (from) => {
    const ids = webhooks.log.append(channel, 2);
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
    await replay(endpoint.id, from);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(idsOf(receiver.received)).toEqual(ids);
  },
);

test('a replay may be limited to failed deliveries', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  const ids = webhooks.log.append(channel, 10);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  const failed = ids.slice(3, 5);
  await webhooks.service.sql(`update delivery set status = 'FAILED' where endpoint_id = $1 and message_id = any($2)`, [
    endpoint.id,
    failed,
  ]);
  receiver.received.length = 0;
  await replay(endpoint.id, at(0), { failedOnly: true });
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  expect(sorted(idsOf(receiver.received))).toEqual(sorted(failed));
  expect(await webhooks.deliveries(channel, endpoint.id, { status: 'FAILED' })).toEqual([]);
});

test('a replay continues at its position after its worker dies, while new events arrive', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
  const ids = webhooks.log.append(channel, 300);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  receiver.received.length = 0;
  await replay(endpoint.id, at(0));
  await eventually(() => Promise.resolve(receiver.received.length > 120));
  const live = webhooks.log.append(channel, 5);
  await webhooks.service.sql('with dead as (delete from worker) update endpoint set lease_holder = null');
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  const got = new Set(idsOf(receiver.received));
  expect([...ids, ...live].filter((id) => !got.has(id))).toEqual([]);
});

test('an endpoint has one replay at a time, and none while disabled', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
  webhooks.log.append(channel, 3);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  receiver.answer(status(500));
  await replay(endpoint.id, at(0));
  expect(await catchFailure(replay(endpoint.id, at(0)))).toMatchObject({ code: 'request-refused' });
  expect((await webhooks.get(channel, endpoint.id)).replay).toMatchObject({ from: at(0), failedOnly: false });
  await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
  expect(await catchFailure(replay(endpoint.id, at(0)))).toMatchObject({ code: 'request-refused' });
});

test('one of several concurrent requests begins a replay', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  receiver.answer(() => undefined);
  webhooks.log.append(channel, 1);
  await eventually(() => Promise.resolve(receiver.received.length === 1));
  const requests = await Promise.allSettled(Array.from({ length: 5 }, () => replay(endpoint.id, at(0))));
  expect(requests.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('lists of deliveries are filtered and paged', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  const ids = webhooks.log.append(channel, 30);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  const [one] = await webhooks.deliveries(channel, endpoint.id, { eventId: String(ids[7]) });
  expect(one).toMatchObject({
    messageId: ids[7],
    status: 'SUCCESS',
    lastAttempt: { statusCode: 200, answer: 'thanks' },
  });
  const list = async (after?: string) =>
    webhooks.gateway.ListDeliveries(
      { endpointId: endpoint.id, page: { limit: 20, offset: 0, ...(after === undefined ? {} : { after }) } },
      await webhooks.as(channel),
    );
  const first = await list();
  const rest = await list(first.next);
  const seen = [...first.deliveries, ...rest.deliveries].map(({ messageId }) => messageId);
  expect(seen).toEqual(ids.toReversed());
  expect(rest.next).toBeUndefined();
});
