import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { eventually, proveOwnConnections } from '@saleschannel/testing';
import { idsOf, startReceiver, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

/** Calls and deliveries have separate connections. */

/** One for calls, two for deliveries, two for failing endpoints, one for the probe. */
const CONNECTIONS = 6;
const CONNECTIONS_OF_DELIVERIES = 4;
const EVENTS = 5;

let webhooks: Webhooks;
let receiver: Receiver;
let channel: string;
beforeAll(async () => {
  webhooks = await startWebhooks({ DATABASE_POOL_MAX: String(CONNECTIONS) });
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.stop();
  await receiver.stop();
});
beforeEach(() => {
  channel = newId();
  receiver.received.length = 0;
});

/** Runs work while another session holds a lock. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  const holder = createConnection(webhooks.service.databaseUrl, { timeouts: { idleInTransactionMs: 60_000 } });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(lock);
    await work();
  } finally {
    await holder.end();
  }
}

const countWaiting = async (): Promise<number> =>
  (
    await webhooks.service.sql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;
const waitUntilBlocked = (count: number): Promise<unknown> =>
  eventually(async () => (await countWaiting()) >= count, `${count} sessions that wait for the lock`);

test('calls are answered while deliveries occupy all of their connections', async () => {
  // Enough to occupy every connection if there were one pool.
  const channels = Array.from({ length: 2 * CONNECTIONS }, () => newId());
  const endpoints = await Promise.all(
    channels.map(async (each) => (await webhooks.create(each, { url: receiver.url })).endpoint),
  );
  await whileLocked('lock table delivery in exclusive mode', async () => {
    for (const each of channels) webhooks.log.append(each, EVENTS);
    await waitUntilBlocked(1);
    for (const [index, { id }] of endpoints.entries()) {
      const each = String(channels[index]);
      expect(await webhooks.get(each, id)).toMatchObject({ id });
      expect(await webhooks.deliveries(each, id)).toEqual([]);
      expect(await countWaiting()).toBeLessThanOrEqual(CONNECTIONS_OF_DELIVERIES);
    }
    await waitUntilBlocked(1);
  });
  for (const [index, { id }] of endpoints.entries()) await webhooks.waitUntilCaughtUp(String(channels[index]), id);
  // At least once each: results could not be recorded while the lock was held.
  expect(new Set(idsOf(receiver.received)).size).toBe(EVENTS * channels.length);
});

test('deliveries continue while calls occupy all of their connections', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.log.append(channel, 1);
  await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  await proveOwnConnections({
    service: webhooks.service,
    table: 'endpoint',
    call: () => webhooks.get(channel, endpoint.id),
    async work() {
      webhooks.log.append(channel, EVENTS);
      await eventually(() => Promise.resolve(receiver.received.length > EVENTS), 'the deliveries');
    },
  });
});
