import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { startReceiver, type Receiver } from './support/receiver.ts';
import { startWebhooks, type Webhooks } from './support/webhooks.ts';

/** Nothing stays with nobody: whatever a replica has lost sight of is worked again. */

let webhooks: Webhooks;
let receiver: Receiver;
let channel: string;
beforeAll(async () => {
  webhooks = await startWebhooks();
  await webhooks.replica();
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
    await webhooks.service.sql<{ holder: string | null }>('select lease_holder as holder from endpoint where id = $1', [
      endpointId,
    ])
  )[0]?.holder;

test('a test reaches a disabled endpoint, also while each replica has its share of the others', async () => {
  await eventually(async () => (await workers()).length === 2);
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  await webhooks.update(channel, { endpointId: endpoint.id, status: 'DISABLED' });
  await eventually(async () => (await holderOf(endpoint.id)) === null, 'nobody works it');
  await webhooks.gateway.TestEndpoint({ endpointId: endpoint.id }, await webhooks.as(channel));
  await eventually(() => Promise.resolve(receiver.received.length === 1), 'the test was sent');
});

test('a replica that others took for dead claims nothing before it has begun anew', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  await eventually(async () => typeof (await holderOf(endpoint.id)) === 'string');
  const before = await workers();
  await webhooks.service.sql('with dead as (delete from worker) update endpoint set lease_holder = null');
  const holder = await eventually(async () => (await holderOf(endpoint.id)) ?? false);
  // Nobody would free what one without a row holds.
  expect(before).not.toContain(holder);
  expect(await workers()).toContain(holder);
  webhooks.log.append(channel, 1);
  await webhooks.caughtUp(channel, endpoint.id);
});

test('replicas whose clocks run ahead do not take each other for dead', async () => {
  const before = await eventually(async () => {
    const ids = await workers();
    return ids.length === 2 && ids;
  });
  const { endpoint } = await webhooks.create(channel, { url: receiver.url });
  webhooks.clock.advance(3_600_000);
  // Each looks at the others before it takes the endpoint, or leaves it.
  webhooks.log.append(channel, 1);
  await webhooks.caughtUp(channel, endpoint.id);
  const leases = await webhooks.service.sql('select from worker where until > clock_timestamp()');
  expect(leases).toHaveLength(2);
  expect((await workers()).toSorted()).toEqual(before.toSorted());
});

test('what is a replica’s by the database alone, as after an answer that was lost, is worked again', async () => {
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
  await webhooks.caughtUp(channel, endpoint.id);
});

test('a replay goes on when the log could not be read for a moment', async () => {
  const { endpoint } = await webhooks.create(channel, { url: receiver.url, ordered: true });
  webhooks.log.append(channel, 150);
  await webhooks.caughtUp(channel, endpoint.id);
  receiver.received.length = 0;
  receiver.answer((_message, response) => {
    // The first page is on its way: the second one cannot be read.
    if (receiver.received.length === 1) webhooks.log.setDown(true);
    response.end();
  });
  const from = String(webhooks.log.events(channel)[0]?.createdAt);
  await webhooks.gateway.ReplayEvents({ endpointId: endpoint.id, from }, await webhooks.as(channel));
  await eventually(async () => (await webhooks.get(channel, endpoint.id)).replay?.position !== undefined);
  // A call is repeated by itself: four times in all.
  await eventually(() => Promise.resolve(webhooks.log.refused() > 4), 'the second page was given up');
  webhooks.log.setDown(false);
  await webhooks.caughtUp(channel, endpoint.id);
  expect(receiver.received).toHaveLength(150);
});
