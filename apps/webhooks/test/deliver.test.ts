import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually, catchFailure } from '@saleschannel/testing';
import { Webhook } from 'standardwebhooks';
import { idsOf, sorted, startReceiver, status, type Received, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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

/** Verifies as a receiver does, except for the time, because the test clock is ahead. */
function verify(secret: string, { headers, body }: Received): unknown {
  const at = Number(headers['webhook-timestamp']);
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), new Date(at * 1_000), body);
  if (!String(headers['webhook-signature']).split(' ').includes(signature)) throw new Error('The signature is wrong.');
  return JSON.parse(body);
}

describe.each([{ ordered: false }, { ordered: true }])('an endpoint (ordered: $ordered)', ({ ordered }) => {
  test('gets each event recorded after its creation, signed', async () => {
    const [before] = webhooks.log.append(channel, 1);
    const { endpoint, secret } = await webhooks.create(channel, { url: receiver.url, ordered });
    const ids = webhooks.log.append(channel, 250);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(sorted(idsOf(receiver.received))).toEqual(sorted(ids));
    if (ordered) expect(idsOf(receiver.received)).toEqual(ids);
    const events = webhooks.log.events(channel);
    for (const message of receiver.received) {
      const index = events.findIndex(({ id }) => id === message.id);
      const { id, eventType, createdAt, eventAt, transactionId, status } = events[index] as (typeof events)[number];
      expect(verify(secret, message)).toEqual({
        type: eventType,
        timestamp: createdAt,
        data: { id, eventType, createdAt, eventAt, payload: { transactionId, status } },
        previousEventId: events[index - 1]?.id,
      });
    }
    expect(JSON.parse(receiver.received[0]?.body ?? '{}')).toMatchObject(ordered ? { previousEventId: before } : {});
    const deliveries = await webhooks.deliveries(channel, endpoint.id);
    expect(deliveries.map(({ messageId }) => messageId)).toEqual(ids);
    expect(new Set(deliveries.map(({ status, attemptCount }) => `${status} ${attemptCount}`))).toEqual(
      new Set(['SUCCESS 1']),
    );
  });

  test('that was down for 74 hours gets every event', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered });
    receiver.answer(status(503));
    const ids: string[] = [];
    for (let hour = 0; hour < 74; hour += 2) {
      ids.push(...webhooks.log.append(channel, 1));
      const before = receiver.received.length;
      if (hour === 0 || !ordered) await eventually(() => Promise.resolve(receiver.received.length > before));
      await eventually(async () => (await webhooks.get(channel, endpoint.id)).pendingDeliveries > 0);
      webhooks.clock.advance(2 * HOUR_MS);
    }
    // An attempt that fails after the clock's jump would delay the next one by another day.
    await eventually(async () => {
      const waiting = await webhooks.deliveries(channel, endpoint.id, { status: 'PENDING' });
      const now = webhooks.clock.now().getTime();
      return waiting.every(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '') > now);
    }, 'no attempt is due');
    receiver.answer(status(204));
    const tried = receiver.received.length;
    webhooks.clock.advance(27 * HOUR_MS);
    const after = await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(after).toMatchObject({ status: 'ENABLED' });
    expect(after).not.toHaveProperty('failingSince');
    const got = idsOf(receiver.received.slice(tried));
    expect(sorted([...new Set(got)])).toEqual(sorted(ids));
    if (ordered) expect(got).toEqual(ids);
  });

  test('that answers 410 is disabled at once, and continues at its position', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered });
    receiver.answer(status(410));
    const [first] = webhooks.log.append(channel, 1);
    await eventually(async () => (await webhooks.get(channel, endpoint.id)).status === 'DISABLED');
    const later = webhooks.log.append(channel, 3);
    expect(await webhooks.get(channel, endpoint.id)).toMatchObject({ disabledReason: 'GONE', pendingDeliveries: 1 });
    receiver.answer(status(200));
    const enabled = await webhooks.update(channel, { endpointId: endpoint.id, status: 'ENABLED' });
    expect(enabled).toMatchObject({ status: 'ENABLED' });
    expect(enabled).not.toHaveProperty('disabledReason');
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(sorted(idsOf(receiver.received.slice(1)))).toEqual(sorted([String(first), ...later]));
  });
});

test('an ordered endpoint sends no later event before a failed one is delivered', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
  const ids = webhooks.log.append(channel, 5);
  receiver.answer((message, response) => status(message.id === ids[2] ? 500 : 200)(message, response));
  await eventually(async () => (await webhooks.get(channel, endpoint.id)).pendingDeliveries === 1);
  expect(idsOf(receiver.received)).toEqual(ids.slice(0, 3));
  expect((await webhooks.get(channel, endpoint.id)).position?.eventId).toBe(ids[2]);
  receiver.answer(status(200));
  webhooks.clock.advance(6_000);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  expect(idsOf(receiver.received)).toEqual([...ids.slice(0, 3), ...ids.slice(2)]);
});

test('the last failed attempt ends an unordered delivery, and disables an ordered endpoint', async () => {
  receiver.answer(status(500));
  const unordered = (await webhooks.create(channel, { url: receiver.url })).endpoint.id;
  const ordered = (await webhooks.create(channel, { url: receiver.url, ordered: true })).endpoint.id;
  const ids = webhooks.log.append(channel, 1);
  const tried = async (id: string) => (await webhooks.deliveries(channel, id))[0]?.attemptCount ?? 0;
  for (const [attempt, hours] of [0.1, 0.1, 1, 3, 6, 11, 16, 22, 27, 1].entries()) {
    await eventually(async () => (await tried(unordered)) > attempt && (await tried(ordered)) > attempt);
    webhooks.clock.advance(hours * HOUR_MS);
  }
  expect((await webhooks.deliveries(channel, unordered))[0]).toMatchObject({ status: 'FAILED', attemptCount: 10 });
  expect(await webhooks.get(channel, ordered)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  const [waiting] = await webhooks.deliveries(channel, ordered);
  expect(waiting).toMatchObject({ status: 'PENDING', messageId: ids[0] });
  expect(waiting).not.toHaveProperty('nextAttemptAt');
  const trail = await webhooks.service.sql<{ event: string }>(
    'select event from audit_event where scope = $1 order by sequence',
    [channel],
  );
  const acts = trail.map(({ event }) => JSON.parse(event) as { action: string; actor: object; after: object });
  expect(acts.at(-1)).toMatchObject({
    action: 'webhooks.endpoint.updated',
    actor: { kind: 'service', id: 'webhooks' },
    after: { status: 'DISABLED', disabledReason: 'FAILING' },
  });
});

test('an unordered endpoint that failed for five days is disabled', async () => {
  receiver.answer(status(500));
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.log.append(channel, 1);
  await eventually(() => Promise.resolve(receiver.received.length === 1));
  await eventually(async () => (await webhooks.get(channel, endpoint.id)).pendingDeliveries === 1);
  webhooks.clock.advance(5 * DAY_MS);
  await eventually(async () => (await webhooks.get(channel, endpoint.id)).disabledReason === 'FAILING');
});

test('Retry-After delays an attempt', async () => {
  receiver.answer(status(429, { 'retry-after': '3600' }));
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.log.append(channel, 1);
  const delivery = await eventually(async () => (await webhooks.deliveries(channel, endpoint.id))[0]);
  const waitMs = Date.parse(delivery.nextAttemptAt ?? '') - Date.parse(delivery.lastAttempt?.startedAt ?? '');
  expect(waitMs).toBeGreaterThanOrEqual(HOUR_MS);
  expect(waitMs).toBeLessThan(HOUR_MS + 60_000);
});

test('a redirect is a failure and not followed', async () => {
  const elsewhere = await startReceiver();
  receiver.answer(status(307, { location: elsewhere.url }));
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.log.append(channel, 1);
  const delivery = await eventually(async () => (await webhooks.deliveries(channel, endpoint.id))[0]);
  expect(delivery).toMatchObject({
    status: 'PENDING',
    lastAttempt: {
      number: 1,
      statusCode: 307,
      error: 'answered 307: redirects are not followed',
      answer: 'status 307',
    },
  });
  expect(elsewhere.received).toEqual([]);
  await elsewhere.stop();
});

test('a rotation loses no message at a receiver that knows the old secret, then both, then the new one', async () => {
  const { endpoint, secret: old } = await webhooks.create(channel, { url: receiver.url, ordered: true });
  const verified: string[] = [];
  let known: readonly string[] = [old];
  receiver.answer((message, response) => {
    const isKnown = known.some((secret) => {
      try {
        return verify(secret, message) !== undefined;
      } catch {
        return false;
      }
    });
    if (isKnown) verified.push(message.id);
    response.writeHead(isKnown ? 200 : 401).end();
  });
  const ids = webhooks.log.append(channel, 3);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  const rotated = await webhooks.gateway.RotateSecret(
    { endpointId: endpoint.id, overlapHours: 24 },
    await webhooks.as(channel),
  );
  ids.push(...webhooks.log.append(channel, 3));
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  known = [old, rotated.secret];
  ids.push(...webhooks.log.append(channel, 3));
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  known = [rotated.secret];
  ids.push(...webhooks.log.append(channel, 3));
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  webhooks.clock.advance(25 * HOUR_MS);
  ids.push(...webhooks.log.append(channel, 3));
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  expect(verified).toEqual(ids);
  expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  expect((await webhooks.get(channel, endpoint.id)).secrets).toHaveLength(1);
});

test('without an overlap, old secrets sign no more messages', async () => {
  const { endpoint, secret: old } = await webhooks.create(channel, { url: receiver.url });
  const target = { endpointId: endpoint.id, overlapHours: 0 };
  const { secret } = await webhooks.gateway.RotateSecret(target, await webhooks.as(channel));
  webhooks.log.append(channel, 1);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  const message = receiver.received[0] as Received;
  verify(secret, message);
  expect(() => verify(old, message)).toThrow('wrong');
});

test('a test is sent once, even to a disabled endpoint, and changes nothing', async () => {
  receiver.answer(status(500));
  const { endpoint, secret } = await webhooks.create(channel, { url: receiver.url });
  await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
  const sent = await webhooks.gateway.TestEndpoint({ endpointId: endpoint.id }, await webhooks.as(channel));
  expect(sent).toMatchObject({ type: 'TEST', status: 'PENDING', attemptCount: 0 });
  const ended = await eventually(async () => {
    const { delivery } = await webhooks.getDelivery(channel, endpoint.id, sent.id);
    return delivery?.status === 'FAILED' && delivery;
  });
  expect(ended).toMatchObject({ attemptCount: 1, lastAttempt: { statusCode: 500 } });
  const [message] = receiver.received;
  expect(verify(secret, message as Received)).toEqual({
    type: 'TEST',
    timestamp: sent.createdAt,
    data: { endpointId: endpoint.id },
    previousEventId: null,
  });
  expect((await webhooks.get(channel, endpoint.id)).status).toBe('DISABLED');
  expect((await webhooks.get(channel, endpoint.id)).failingSince).toBeUndefined();
});

test('a requested retry sends the same body, but not to a disabled endpoint', async () => {
  receiver.answer(status(500));
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.log.append(channel, 1);
  const failed = await eventually(async () => (await webhooks.deliveries(channel, endpoint.id))[0]);
  const target = { endpointId: endpoint.id, deliveryId: failed.id };
  receiver.answer(status(200));
  expect(await webhooks.gateway.RetryDelivery(target, await webhooks.as(channel))).toMatchObject({ status: 'PENDING' });
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  // A successful delivery can be retried too.
  await webhooks.gateway.RetryDelivery(target, await webhooks.as(channel));
  const again = await eventually(async () => {
    const detail = await webhooks.getDelivery(channel, endpoint.id, failed.id);
    return detail.delivery?.attemptCount === 3 && detail;
  });
  expect(again.delivery?.status).toBe('SUCCESS');
  expect(again.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 200, 200]);
  expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set([again.body]));
  await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
  expect(await catchFailure(webhooks.gateway.RetryDelivery(target, await webhooks.as(channel)))).toMatchObject({
    code: 'request-refused',
  });
});
