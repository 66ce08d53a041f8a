import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { callAs, eventually, catchFailure } from '@saleschannel/testing';
import { startReceiver, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Delivery, type Webhooks } from './support/webhooks.ts';

/** Faults of endpoints in a sandbox, and their deletion by a reset. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const ROUNDS = 10;

let webhooks: Webhooks;
let receiver: Receiver;
let channel: string;
beforeAll(async () => {
  webhooks = await startWebhooks({ SANDBOX: 'true' });
});
afterAll(() => webhooks.stop());
beforeEach(async () => {
  channel = newId();
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const breakAll = async (fault: 'DOWN' | 'LATE', seconds: number, endpointId?: string) =>
  webhooks.sandbox.BreakEndpoints(
    { fault, seconds, ...(endpointId === undefined ? {} : { endpointId }) },
    await webhooks.as(channel),
  );
const leave = async (salesChannelId: string, dryRun = false) =>
  webhooks.sandbox.LeaveEndpoints({ dryRun }, await webhooks.as(salesChannelId));
const ids = (): string[] => receiver.received.map(({ id }) => id);
const statusCodes = async (endpointId: string, { id }: Delivery): Promise<unknown[]> =>
  (await webhooks.getDelivery(channel, endpointId, id)).attempts.map(({ statusCode }) => statusCode);

/** Waits until `count` deliveries were tried at least `attempts` times. */
const waitForAttempts = (endpointId: string, count: number, attempts = 1): Promise<Delivery[]> =>
  eventually(async () => {
    const deliveries = await webhooks.deliveries(channel, endpointId);
    const isTried = deliveries.every(({ attemptCount }) => attemptCount >= attempts);
    return deliveries.length >= count && isTried && deliveries;
  }, 'the attempts');

describe.each([{ ordered: false }, { ordered: true }])('an endpoint (ordered: $ordered)', ({ ordered }) => {
  test('that is down fails without a request to its receiver, which gets everything afterwards', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered });
    const down = await breakAll('DOWN', 3_600);
    expect(down.endpointIds).toEqual([endpoint.id]);
    expect(Date.parse(down.until)).toBeGreaterThan(webhooks.clock.now().getTime() + 59 * MINUTE_MS);
    const sent = webhooks.log.append(channel, 5);
    const [first] = await waitForAttempts(endpoint.id, 1);
    webhooks.clock.advance(6 * SECOND_MS);
    await waitForAttempts(endpoint.id, 1, 2);
    const detail = await webhooks.getDelivery(channel, endpoint.id, String(first?.id));
    expect(detail).toMatchObject({
      delivery: { status: 'PENDING', nextAttemptAt: expect.any(String) },
      attempts: [
        { number: 1, statusCode: 503, error: 'answered 503', answer: expect.stringContaining('webhook-down') },
        { number: 2, statusCode: 503 },
      ],
    });
    expect(await webhooks.get(channel, endpoint.id)).toMatchObject({
      status: 'ENABLED',
      failingSince: expect.any(String),
    });
    expect(receiver.received).toEqual([]);
    webhooks.clock.advance(2 * HOUR_MS);
    const after = await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(after).not.toHaveProperty('failingSince');
    if (ordered) expect(ids()).toEqual(sent);
    else expect(ids().toSorted()).toEqual(sent.toSorted());
  });

  test('gets the next message late, and the others on time', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered });
    await breakAll('LATE', 1_200);
    const sent = webhooks.log.append(channel, 5);
    const late = await eventually(async () =>
      (await webhooks.deliveries(channel, endpoint.id)).find(({ status }) => status === 'PENDING'),
    );
    expect(late.lastAttempt).toMatchObject({ statusCode: 503, answer: expect.stringContaining('webhook-late') });
    const startedMs = Date.parse(String(late.lastAttempt?.startedAt));
    expect(Date.parse(String(late.nextAttemptAt)) - startedMs).toBeGreaterThanOrEqual(1_200 * SECOND_MS);
    const others = sent.filter((id) => id !== late.messageId);
    if (ordered) expect(receiver.received).toEqual([]);
    else await eventually(() => Promise.resolve(receiver.received.length === others.length));
    webhooks.clock.advance(21 * MINUTE_MS);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(ids().toSorted()).toEqual(sent.toSorted());
    expect(ids()).toEqual(ordered ? sent : [...ids().slice(0, -1), late.messageId]);
    expect(await statusCodes(endpoint.id, late)).toEqual([503, 200]);
  });
});

test('a fault applies to the named endpoint only', async () => {
  const other = newId();
  const { endpoint: broken } = await webhooks.create(channel, { url: `${receiver.url}/broken` });
  const { endpoint: sound } = await webhooks.create(channel, { url: `${receiver.url}/sound` });
  const { endpoint: foreign } = await webhooks.create(other, { url: `${receiver.url}/foreign` });
  expect((await breakAll('DOWN', 10, broken.id)).endpointIds).toEqual([broken.id]);
  expect(await catchFailure(breakAll('DOWN', 10, foreign.id))).toMatchObject({ code: 'not-found' });
  expect(await catchFailure(breakAll('DOWN', 10, 'none'))).toMatchObject({ code: 'not-found' });
  webhooks.log.append(channel, 1);
  webhooks.log.append(other, 1);
  await webhooks.waitUntilCaughtUp(channel, sound.id);
  await webhooks.waitUntilCaughtUp(other, foreign.id);
  await waitForAttempts(broken.id, 1);
  expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/hook/foreign', '/hook/sound']);
});

test('the latest fault replaces an earlier one, and its end takes effect at once', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  await breakAll('DOWN', 3_600);
  await breakAll('LATE', 10);
  const [first, second] = webhooks.log.append(channel, 2);
  await eventually(() => Promise.resolve(receiver.received.length === 1));
  expect([first, second]).toContain(ids()[0]);
  webhooks.clock.advance(20 * SECOND_MS);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  expect(receiver.received).toHaveLength(2);
});

test('a test fails while its endpoint is down, and does not use up LATE', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  const tried = async (): Promise<Delivery> => {
    const { id } = await webhooks.gateway.TestEndpoint({ endpointId: endpoint.id }, await webhooks.as(channel));
    return eventually(async () => {
      const { delivery } = await webhooks.getDelivery(channel, endpoint.id, id);
      return delivery?.status === 'PENDING' ? false : (delivery ?? undefined);
    });
  };
  await breakAll('DOWN', 60);
  expect(await tried()).toMatchObject({ status: 'FAILED', lastAttempt: { statusCode: 503 } });
  await breakAll('LATE', 60);
  expect(await tried()).toMatchObject({ status: 'SUCCESS' });
  webhooks.log.append(channel, 1);
  const deliveries = await waitForAttempts(endpoint.id, 3);
  expect(deliveries.at(-1)).toMatchObject({ status: 'PENDING', lastAttempt: { statusCode: 503 } });
});

test.each([
  ['MELTED', 60],
  ['DOWN', 9],
  ['LATE', 3_601],
])('%s for %d seconds is refused', async (fault, seconds) => {
  await webhooks.create(channel, { url: receiver.url });
  expect(await catchFailure(breakAll(fault as 'DOWN', seconds))).toMatchObject({ code: 'invalid-request' });
});

test('a fault needs an enabled endpoint', async () => {
  expect(await catchFailure(breakAll('DOWN', 60))).toMatchObject({ code: 'request-refused' });
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
  expect(await catchFailure(breakAll('DOWN', 60))).toMatchObject({ code: 'request-refused' });
  expect(await catchFailure(breakAll('DOWN', 60, endpoint.id))).toMatchObject({ code: 'request-refused' });
});

test('a reset deletes the endpoints of the channel and their pending deliveries only', async () => {
  const other = newId();
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  await webhooks.create(channel, { url: receiver.url, ordered: true });
  const { endpoint: foreign } = await webhooks.create(other, { url: receiver.url });
  await breakAll('DOWN', 10);
  webhooks.log.append(channel, 1);
  await waitForAttempts(endpoint.id, 1);
  expect(await leave(channel, true)).toEqual({ endpoints: 2 });
  expect(await webhooks.get(channel, endpoint.id)).toMatchObject({ status: 'ENABLED' });
  expect(await leave(channel)).toEqual({ endpoints: 2 });
  expect(await leave(channel)).toEqual({ endpoints: 0 });
  webhooks.log.append(channel, 1);
  const [last] = webhooks.log.append(other, 1);
  webhooks.clock.advance(HOUR_MS);
  await webhooks.waitUntilCaughtUp(other, foreign.id);
  expect(ids()).toEqual([last]);
  expect(await catchFailure(webhooks.get(channel, endpoint.id))).toMatchObject({ code: 'not-found' });
  const acts = await webhooks.service.sql<{ action: string }>(
    `select event::json ->> 'action' as action from audit_event where scope = $1 order by sequence`,
    [channel],
  );
  expect(acts.map(({ action }) => action)).toEqual([
    ...Array(2).fill('webhooks.endpoint.created'),
    ...Array(2).fill('webhooks.endpoint.broken'),
    ...Array(2).fill('webhooks.endpoint.deleted'),
  ]);
});

test('an endpoint created during a reset is deleted too, or refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const left = newId();
    const [created] = await Promise.allSettled([webhooks.create(left, { url: receiver.url }), leave(left)]);
    if (created.status === 'rejected') expect(created.reason).toMatchObject({ code: 'sales-channel-suspended' });
    const { endpoints } = await webhooks.gateway.ListEndpoints({}, await webhooks.as(left));
    expect(endpoints).toEqual([]);
  }
});

test('the calls require the role, the sandbox as caller and a sandbox installation', async () => {
  await webhooks.create(channel, { url: receiver.url });
  const request = { fault: 'DOWN', seconds: 60 };
  const viewer = await webhooks.as(channel, ['TRANSACTION_ADMINISTRATOR', 'EVENT_VIEWER']);
  expect(await catchFailure(webhooks.sandbox.BreakEndpoints(request, viewer))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(webhooks.sandbox.LeaveEndpoints({}, viewer))).toMatchObject({ code: 'forbidden' });
  const options = await webhooks.as(channel);
  const gateway = await callAs('gateway', 'endpointSandbox', webhooks.service.address);
  const real = await startWebhooks();
  try {
    for (const client of [gateway, real.sandbox]) {
      expect(await catchFailure(client.BreakEndpoints(request, options))).toMatchObject({ code: 'forbidden' });
      expect(await catchFailure(client.LeaveEndpoints({}, options))).toMatchObject({ code: 'forbidden' });
    }
  } finally {
    gateway.close();
    await real.stop();
  }
});
