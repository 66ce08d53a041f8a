import { expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually, openTestDatabase } from '@saleschannel/testing';
import { deleteExpired } from '../src/jobs/delete-deliveries.ts';
import { schema } from '../src/store/schema.ts';
import { idsOf, sorted, startReceiver, status, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

const countByHolder = (webhooks: Webhooks) =>
  webhooks.service.sql<{ holder: string; endpoints: number }>(
    `select lease_holder as holder, count(*)::int as endpoints from endpoint
     where status = 'ENABLED' and lease_holder is not null group by 1`,
  );

/** Gives each test two replicas and its receivers. Tests mostly wait, so they run concurrently. */
async function withReceivers(
  count: number,
  work: (receivers: Receiver[], webhooks: Webhooks) => Promise<void>,
): Promise<void> {
  const webhooks = await startWebhooks({ WEBHOOK_DELIVERY_KEPT_DAYS: '30' });
  const receivers = await Promise.all(Array.from({ length: count }, startReceiver));
  try {
    await webhooks.startReplica();
    await work(receivers, webhooks);
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.stop()));
    await webhooks.stop();
  }
}

/** Counts failing endpoints. */
async function countFailing(webhooks: Webhooks): Promise<number> {
  const [found] = await webhooks.service.sql<{ failing: number }>(
    'select count(*)::int as failing from endpoint where failing_since is not null',
  );
  return found?.failing ?? 0;
}

/** Takes the leases from their replicas, as if their processes had died. */
const killWorkers = (webhooks: Webhooks) =>
  webhooks.service.sql('with dead as (delete from worker) update endpoint set lease_holder = null');

test.concurrent('two replicas share the endpoints, and each event arrives once, in order at ordered endpoints', () =>
  withReceivers(6, async (receivers, webhooks) => {
    const channel = newId();
    const created = await Promise.all(
      receivers.map(({ url }, index) => webhooks.create(channel, { url, ordered: index % 2 === 0 })),
    );
    await eventually(async () => (await countByHolder(webhooks)).length === 2, 'both replicas have endpoints');
    const ids: string[] = [];
    for (let round = 0; round < 20; round++) {
      ids.push(...webhooks.log.append(channel, 10));
      await eventually(() => Promise.resolve(receivers.some(({ received }) => received.length >= ids.length - 5)));
    }
    for (const { endpoint } of created) await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    for (const [index, { received }] of receivers.entries()) {
      if (index % 2 === 0) expect(idsOf(received)).toEqual(ids);
      else expect(sorted(idsOf(received))).toEqual(sorted(ids));
    }
  }),
);

test.concurrent('workers that die in the middle of pages lose nothing and keep the order', () =>
  withReceivers(2, async ([ordered, unordered], webhooks) => {
    if (!ordered || !unordered) throw new Error('The receivers are missing.');
    const channel = newId();
    const created = [
      await webhooks.create(channel, { url: ordered.url, ordered: true }),
      await webhooks.create(channel, { url: unordered.url }),
    ];
    const ids: string[] = [];
    for (let round = 0; round < 5; round++) {
      ids.push(...webhooks.log.append(channel, 30));
      const before = ordered.received.length;
      await eventually(() => Promise.resolve(ordered.received.length > before + 3));
      await killWorkers(webhooks);
    }
    for (const { endpoint } of created) await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    // A set keeps the order of first insertion.
    expect([...new Set(idsOf(ordered.received))]).toEqual(ids);
    expect(sorted([...new Set(idsOf(unordered.received))])).toEqual(sorted(ids));
    for (const { endpoint } of created) {
      const deliveries = await webhooks.deliveries(channel, endpoint.id);
      expect(sorted(deliveries.map(({ messageId }) => messageId))).toEqual(sorted(ids));
    }
  }),
);

test.concurrent('other replicas continue when one stops', () =>
  // Two endpoints for each of three replicas.
  withReceivers(6, async (receivers, webhooks) => {
    const channel = newId();
    const created = await Promise.all(receivers.map(({ url }) => webhooks.create(channel, { url })));
    const third = await webhooks.startReplica();
    await eventually(async () => (await countByHolder(webhooks)).length === 3, 'the third has endpoints');
    const ids = webhooks.log.append(channel, 50);
    await third.stop();
    ids.push(...webhooks.log.append(channel, 50));
    for (const { endpoint } of created) await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    for (const { received } of receivers) expect(sorted([...new Set(idsOf(received))])).toEqual(sorted(ids));
  }),
);

test.concurrent(
  'a working receiver gets its messages while many others are frozen',
  () =>
    withReceivers(2, async ([frozen, healthy], webhooks) => {
      if (!frozen || !healthy) throw new Error('The receivers are missing.');
      frozen.answer(() => undefined);
      const channels = Array.from({ length: 6 }, newId);
      const working = newId();
      for (const channel of channels)
        await Promise.all(Array.from({ length: 15 }, () => webhooks.create(channel, { url: frozen.url })));
      const { endpoint } = await webhooks.create(working, { url: healthy.url, ordered: true });
      for (const channel of channels) webhooks.log.append(channel, 8);
      await eventually(() => Promise.resolve(frozen.load.max >= 64), 'the receivers are frozen');
      const ids = webhooks.log.append(working, 200);
      await webhooks.waitUntilCaughtUp(working, endpoint.id);
      // They now count as failing, and have a queue of their own.
      await eventually(async () => (await countFailing(webhooks)) >= 90, 'all have failed');
      ids.push(...webhooks.log.append(working, 200));
      await webhooks.waitUntilCaughtUp(working, endpoint.id);
      expect(await countFailing(webhooks)).toBeGreaterThanOrEqual(90);
      expect(idsOf(healthy.received)).toEqual(ids);
      await webhooks.service.sql(`update endpoint set status = 'DELETED' where url = $1`, [frozen.url]);
    }),
  120_000,
);

test.concurrent('endless responses time out, and long ones are truncated', () =>
  withReceivers(1, async ([receiver], webhooks) => {
    if (!receiver) throw new Error('The receiver is missing.');
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    receiver.answer((_message, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(16_384)), 1);
      response.once('close', () => clearInterval(timer));
    });
    webhooks.log.append(channel, 1);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    const [delivery] = await webhooks.deliveries(channel, endpoint.id);
    expect(delivery?.lastAttempt?.answer).toBe('x'.repeat(1_024));
    receiver.answer((_message, response) => {
      response.writeHead(200);
      response.write('a word');
    });
    webhooks.log.append(channel, 1);
    const failed = await eventually(async () => (await webhooks.deliveries(channel, endpoint.id))[1]);
    expect(failed).toMatchObject({
      status: 'PENDING',
      lastAttempt: { error: 'no complete response within 15 seconds' },
    });
  }),
);

test.concurrent('a dead endpoint has at most 1,000 pending deliveries, and the log keeps the other events', () =>
  withReceivers(1, async ([receiver], webhooks) => {
    if (!receiver) throw new Error('The receiver is missing.');
    const channel = newId();
    receiver.answer(status(500));
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    // Two fewer than allowed.
    await webhooks.service.sql(
      `insert into delivery (id, endpoint_id, message_id, event_type, event_created_at, event_at, transaction_id,
         event_status, status, attempt_count, schedule_attempts, created_at, next_attempt_at)
       select 'd-' || $1 || n, $1, 'm-' || n, 'TRANSACTION_STATUS_CHANGE', now(), now(), 't', 'SUCCESS', 'PENDING',
         1, 1, now(), now() + interval '1 hour'
       from generate_series(1, 998) as n`,
      [endpoint.id],
    );
    const ids = webhooks.log.append(channel, 10);
    await eventually(async () => (await webhooks.get(channel, endpoint.id)).pendingDeliveries === 1_000);
    expect((await webhooks.get(channel, endpoint.id)).position?.eventId).toBe(ids[1]);
    receiver.answer(status(200));
    webhooks.clock.advance(2 * 3_600 * SECOND_MS);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    const got = new Set(idsOf(receiver.received));
    expect(ids.filter((id) => !got.has(id))).toEqual([]);
  }),
);

test.concurrent('deliveries that ended 30 days ago, and deliveries of deleted endpoints, are deleted', () =>
  withReceivers(1, async ([receiver], webhooks) => {
    if (!receiver) throw new Error('The receiver is missing.');
    const channel = newId();
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    webhooks.log.append(channel, 3);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    const url = webhooks.service.databaseUrl;
    const database = await openTestDatabase({ url, poolMax: 2, ...schema });
    const at = (ms: number) => ({ database, keptDays: 30, clock: { now: () => new Date(ms) } });
    try {
      const now = webhooks.clock.now().getTime();
      await deleteExpired(at(now + 29 * DAY_MS));
      expect(await webhooks.deliveries(channel, endpoint.id)).toHaveLength(3);
      await deleteExpired(at(now + 31 * DAY_MS));
      expect(await webhooks.deliveries(channel, endpoint.id)).toEqual([]);
      webhooks.log.append(channel, 3);
      await webhooks.waitUntilCaughtUp(channel, endpoint.id);
      await webhooks.gateway.DeleteEndpoint({ endpointId: endpoint.id }, await webhooks.as(channel));
      await deleteExpired(at(now));
      const left = await webhooks.service.sql(
        'select id from delivery where endpoint_id = $1 union all select id from endpoint where id = $1',
        [endpoint.id],
      );
      expect(left).toEqual([]);
    } finally {
      await database.stop();
    }
  }),
);
