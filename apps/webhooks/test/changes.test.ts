import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, createdOnce, eventually, openTestDatabase, removeMarkers, repeatCall } from '@saleschannel/testing';
import { lockChannel } from '../src/store/endpoints.ts';
import { schema } from '../src/store/schema.ts';
import { startReceiver, status, type Received, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

describe('repeated', () => {
  let webhooks: Webhooks;
  let receiver: Receiver;
  beforeAll(async () => {
    [webhooks, receiver] = [await startWebhooks(), await startReceiver()];
  });
  afterAll(async () => {
    await webhooks.stop();
    await receiver.stop();
  });

  const settings = { url: 'https://hooks.example/in', eventTypes: [], ordered: false };
  const other = { ...settings, ordered: true };
  const listed = async (channel: string) =>
    (await webhooks.gateway.ListEndpoints({}, await webhooks.as(channel))).endpoints;

  test('an endpoint is created once, and every repeat gets its secret', async () => {
    const channel = newId();
    const repeats = await repeatCall(await webhooks.as(channel), (options, isOther) =>
      webhooks.gateway.CreateEndpoint(isOther ? other : settings, options),
    );
    expect(repeats).toEqual(createdOnce(repeats.answers[0]));
    expect(await listed(channel)).toHaveLength(1);
    expect(repeats.answers[0]?.secret).toMatch(/^whsec_/);
    const stored = await webhooks.service.sql<{ answer: Buffer }>('select answer from idempotency_key');
    expect(stored.length).toBeGreaterThan(0);
    for (const { answer } of stored) expect(answer.toString()).not.toContain(String(repeats.answers[0]?.secret));
  });

  test('each request without a key creates an endpoint', async () => {
    const channel = newId();
    await Promise.all([webhooks.create(channel, settings), webhooks.create(channel, settings)]);
    expect(await listed(channel)).toHaveLength(2);
  });

  test('a secret is rotated once', async () => {
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, {});
    const repeats = await repeatCall(await webhooks.as(channel), (options, isOther) =>
      webhooks.gateway.RotateSecret({ endpointId: endpoint.id, overlapHours: isOther ? 2 : 1 }, options),
    );
    expect(repeats).toEqual(createdOnce(repeats.answers[0]));
    expect((await webhooks.get(channel, endpoint.id)).secrets).toHaveLength(2);
  });

  test('tests, retries and replays take effect once', async () => {
    const channel = newId();
    receiver.answer(status(503));
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    const { endpoint: another } = await webhooks.create(channel, { url: receiver.url });
    const [event] = webhooks.log.append(channel, 1);
    const failed = await eventually(
      async () => (await webhooks.deliveries(channel, endpoint.id)).find(({ attemptCount }) => attemptCount > 0),
      'the attempt',
    );
    const as = await webhooks.as(channel);
    const target = (isOther: boolean) => ({ endpointId: isOther ? another.id : endpoint.id });

    const tests = await repeatCall(as, (options, isOther) => webhooks.gateway.TestEndpoint(target(isOther), options));
    expect(tests).toEqual(createdOnce(tests.answers[0]));
    expect(await webhooks.deliveries(channel, endpoint.id)).toHaveLength(2);

    const retries = await repeatCall(as, (options, isOther) =>
      webhooks.gateway.RetryDelivery({ ...target(isOther), deliveryId: failed.id }, options),
    );
    expect(retries).toEqual(createdOnce(retries.answers[0]));
    expect(removeMarkers(retries.answers[0])).toMatchObject({ event: { id: event }, status: 'PENDING' });

    const period = { from: '2026-01-01T00:00:00.000Z', failedOnly: false };
    const replays = await repeatCall(as, (options, isOther) =>
      webhooks.gateway.ReplayEvents({ ...target(isOther), ...period }, options),
    );
    expect(replays).toEqual(createdOnce(replays.answers[0]));
  });

  test('a refused request does not use up its key', async () => {
    const [channel, foreign] = [newId(), newId()];
    const { endpoint } = await webhooks.create(foreign, {});
    const options = { ...(await webhooks.as(channel)), idempotencyKey: 'once' };
    const rotation = { endpointId: endpoint.id, overlapHours: 1 };
    await expect(webhooks.gateway.RotateSecret(rotation, options)).rejects.toMatchObject({ code: 'not-found' });
    const { endpoint: own } = await webhooks.create(channel, {});
    const rotated = await webhooks.gateway.RotateSecret({ ...rotation, endpointId: own.id }, options);
    expect(rotated.secret).toMatch(/^whsec_/);
  });

  test('a key belongs to its user and operation', async () => {
    const channel = newId();
    const [one, two] = [await webhooks.as(channel), await webhooks.as(channel)];
    const idempotencyKey = 'shared';
    const { endpoint } = removeMarkers(await webhooks.gateway.CreateEndpoint(settings, { ...one, idempotencyKey }));
    await webhooks.gateway.CreateEndpoint(other, { ...two, idempotencyKey });
    expect(await listed(channel)).toHaveLength(2);
    const rotation = { endpointId: String(endpoint?.id), overlapHours: 1 };
    await webhooks.gateway.RotateSecret(rotation, { ...one, idempotencyKey });
  });

  test('a user without the role gets no stored answer', async () => {
    const [channel, userId] = [newId(), newId()];
    const request = { ...settings, description: 'kept' };
    const before = await asUser(channel, ['ROLE_ADMINISTRATOR'], userId);
    await webhooks.gateway.CreateEndpoint(request, { ...before, idempotencyKey: 'mine' });
    const after = await asUser(channel, ['EVENT_VIEWER'], userId);
    await expect(webhooks.gateway.CreateEndpoint(request, { ...after, idempotencyKey: 'mine' })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('a malformed key is refused', async () => {
    const options = { ...(await webhooks.as(newId())), idempotencyKey: 'no spaces' };
    await expect(webhooks.gateway.CreateEndpoint(settings, options)).rejects.toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'Idempotency-Key', code: 'pattern' }],
    });
  });

  test('a request that missed its deadline has no effect later', async () => {
    const [channel, held] = [newId(), Promise.withResolvers<void>()];
    const database = await openTestDatabase({ url: webhooks.service.databaseUrl, poolMax: 1, ...schema });
    const locked = Promise.withResolvers<void>();
    const holder = database.transaction(async (em) => {
      await lockChannel(em, channel);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const options = { ...(await webhooks.as(channel)), idempotencyKey: 'late', timeoutMs: 500 };
    await expect(webhooks.gateway.CreateEndpoint(settings, options)).rejects.toMatchObject({ code: 'unavailable' });
    held.resolve();
    await holder;
    await database.stop();
    const waiting = `select from pg_stat_activity where datname = current_database() and state <> 'idle'
                   and pid <> pg_backend_pid()`;
    await eventually(async () => (await webhooks.service.sql(waiting)).length === 0, 'the work has ended');
    expect(await listed(channel)).toEqual([]);
    await webhooks.gateway.CreateEndpoint(settings, { ...options, timeoutMs: 5_000 });
    expect(await listed(channel)).toHaveLength(1);
  });
});

describe('during a delivery', () => {
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
});
