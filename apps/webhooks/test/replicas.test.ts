import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { eventually, proveOwnConnections } from '@saleschannel/testing';
import { idsOf, startReceiver, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

describe('leases', () => {
  /** Endpoints never stay without a replica. */

  let webhooks: Webhooks;
  let receiver: Receiver;
  let channel: string;
  beforeAll(async () => {
    webhooks = await startWebhooks();
    await webhooks.startReplica();
  });
  afterAll(() => webhooks.stop());
  beforeEach(async () => {
    channel = newId();
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  const workers = async (): Promise<string[]> =>
    (await webhooks.service.sql<{ id: string }>('select id from worker')).map(({ id }) => id);
  const holderOf = async (endpointId: string): Promise<string | null | undefined> =>
    (
      await webhooks.service.sql<{ holder: string | null }>(
        'select lease_holder as holder from endpoint where id = $1',
        [endpointId],
      )
    )[0]?.holder;

  test('a test message reaches a disabled endpoint even if each replica has its share of the others', async () => {
    await eventually(async () => (await workers()).length === 2);
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
    await eventually(async () => (await holderOf(endpoint.id)) === null, 'the endpoint is released');
    await webhooks.gateway.TestEndpoint({ endpointId: endpoint.id }, await webhooks.as(channel));
    await eventually(() => Promise.resolve(receiver.received.length === 1), 'the test was sent');
  });

  test('a replica whose row others deleted registers again before it claims endpoints', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    await eventually(async () => typeof (await holderOf(endpoint.id)) === 'string');
    const before = await workers();
    await webhooks.service.sql('with dead as (delete from worker) update endpoint set lease_holder = null');
    const holder = await eventually(async () => (await holderOf(endpoint.id)) ?? false);
    // Endpoints of a replica without a row would never be freed.
    expect(before).not.toContain(holder);
    expect(await workers()).toContain(holder);
    webhooks.log.append(channel, 1);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  });

  test('replicas whose clocks run ahead do not expire each other', async () => {
    const before = await eventually(async () => {
      const ids = await workers();
      return ids.length === 2 && ids;
    });
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    webhooks.clock.advance(3_600_000);
    // Each checks the others before it claims or releases the endpoint.
    webhooks.log.append(channel, 1);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    const leases = await webhooks.service.sql('select from worker where until > clock_timestamp()');
    expect(leases).toHaveLength(2);
    expect((await workers()).toSorted()).toEqual(before.toSorted());
  });

  test('an endpoint leased in the database only, as after a lost answer, is released', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url });
    await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
    await eventually(async () => (await holderOf(endpoint.id)) === null);
    await eventually(async () => (await workers()).length === 2);
    const [worker] = await workers();
    await webhooks.service.sql(
      `update endpoint set status = 'ENABLED', disabled_reason = null, lease_holder = $2,
       lease_number = lease_number + 1
     where id = $1`,
      [endpoint.id, worker],
    );
    webhooks.log.append(channel, 1);
    webhooks.clock.advance(10_000);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
  });

  test('a replay continues after the log was briefly unreadable', async () => {
    const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
    webhooks.log.append(channel, 150);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    receiver.received.length = 0;
    receiver.answer((_message, response) => {
      // During the first page, so that the second cannot be read.
      if (receiver.received.length === 1) webhooks.log.setDown(true);
      response.end();
    });
    const from = String(webhooks.log.events(channel)[0]?.createdAt);
    await webhooks.gateway.ReplayEvents({ endpointId: endpoint.id, from }, await webhooks.as(channel));
    await eventually(async () => (await webhooks.get(channel, endpoint.id)).replay?.position !== undefined);
    // The client makes four attempts per call.
    await eventually(() => Promise.resolve(webhooks.log.refused() > 4), 'reading the second page failed');
    webhooks.log.setDown(false);
    await webhooks.waitUntilCaughtUp(channel, endpoint.id);
    expect(receiver.received).toHaveLength(150);
  });
});

describe('connections', () => {
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
});
