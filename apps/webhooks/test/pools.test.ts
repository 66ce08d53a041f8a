import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { idsOf, startReceiver, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

/** Calls and deliveries never wait for each other's connections. */

/** Two for calls, one for deliveries, one for deliveries to endpoints that fail. */
const CONNECTIONS = 4;
const CONNECTIONS_OF_CALLS = 2;
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
  const holder = createConnection(webhooks.service.databaseUrl, { patience: { idleInTransactionMs: 60_000 } });
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
const untilWaiting = (count: number): Promise<unknown> =>
  eventually(async () => (await countWaiting()) >= count, `${count} sessions that wait for the lock`);

test('calls are answered while deliveries hold all of their connections', async () => {
  // Enough to hold every connection, were there one pool.
  const channels = Array.from({ length: 2 * CONNECTIONS }, () => newId());
  const endpoints = await Promise.all(
    channels.map(async (each) => (await webhooks.create(each, { url: receiver.url })).endpoint),
  );
  await whileLocked('lock table delivery in exclusive mode', async () => {
    for (const each of channels) webhooks.log.append(each, EVENTS);
    await untilWaiting(1);
    for (const [index, { id }] of endpoints.entries()) {
      const each = String(channels[index]);
      expect(await webhooks.get(each, id)).toMatchObject({ id });
      expect(await webhooks.deliveries(each, id)).toEqual([]);
      expect(await countWaiting()).toBeLessThanOrEqual(CONNECTIONS - CONNECTIONS_OF_CALLS);
    }
    await untilWaiting(1);
  });
  for (const [index, { id }] of endpoints.entries()) await webhooks.caughtUp(String(channels[index]), id);
  // At least once each: what was sent could not be noted while the lock was held.
  expect(new Set(idsOf(receiver.received)).size).toBe(EVENTS * channels.length);
});

test('deliveries go on while calls hold all of their connections', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.log.append(channel, 1);
  await webhooks.caughtUp(channel, endpoint.id);
  const other = newId();
  const { endpoint: locked } = await webhooks.create(other, { url: receiver.url });
  const as = await webhooks.as(other);
  let isOver = false;
  const keepCalling = async (): Promise<void> => {
    const request = { endpointId: locked.id, description: 'renamed' };
    while (!isOver) await webhooks.gateway.UpdateEndpoint(request, as).catch(() => undefined);
  };
  const calls: Promise<void>[] = [];
  await whileLocked(`select from endpoint where id = '${locked.id}' for update`, async () => {
    for (let call = 0; call < CONNECTIONS; call++) calls.push(keepCalling());
    await untilWaiting(CONNECTIONS_OF_CALLS);
    webhooks.log.append(channel, EVENTS);
    await eventually(() => Promise.resolve(receiver.received.length > EVENTS), 'the deliveries');
    expect(await countWaiting()).toBeLessThanOrEqual(CONNECTIONS_OF_CALLS);
    isOver = true;
  });
  await Promise.all(calls);
});
