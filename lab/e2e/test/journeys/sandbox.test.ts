import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DemoChannel, DemoUser } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../../src/client.ts';
import { testCoverage } from '../support/coverage.ts';
import { startReceiver, type Receiver } from '../support/followers.ts';
import { Scs } from '../support/scs.ts';
import { useOwnSystem } from '../support/system.ts';
import { waitForEvent, issue, operator, readTransaction, seller, runTransfer, v1, type Task } from '../support/api.ts';

/** A sandbox installation: events on demand, and resets of a channel. */

const system = useOwnSystem({ variables: { SANDBOX: 'true' } });

interface TriggerResult {
  kind: string;
  message: string;
  traderId: string | null;
  taskId: string | null;
  transactionId: string | null;
  proposalId: string | null;
  webhookEndpointIds: string[];
  until: string | null;
}

interface Delivery {
  id: string;
  messageId: string;
  status: string;
  lastAttempt: { statusCode: number } | null;
}

interface Reset {
  salesChannelId: string;
  previousSalesChannelId: string;
}

interface Me {
  salesChannel: { id: string } | null;
  roles: string[];
}

const trigger = (client: Client, kind: string, further: object = {}): Promise<TriggerResult> =>
  client.ok('POST', `${v1}/sandbox/triggers`, { body: { kind, ...further } });
const reset = (client: Client): Promise<Reset> => client.ok('POST', `${v1}/sandbox/reset`);

/** The channel's webhook receiver. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());
/** Paths at which messages of an event arrived, once per arrival. */
const arrivalsOf = (eventId: string): string[] =>
  receiver.received.flatMap(({ path, headers }) => (headers['webhook-id'] === eventId ? [path] : []));

const endpoints = `${v1}/webhook-endpoints`;
const addEndpoint = async (path: string): Promise<string> =>
  (await client().ok<{ id: string }>('POST', endpoints, { body: { url: `${receiver.url}${path}` } })).id;

const first = (): DemoChannel => system().channels[0];
const client = (): Client => system().createClient(operator(first()));

const segments = { TRADE: 'trade', RETIREMENT: 'retire', OFFRAMP: 'offramp' } as const;

const getTask = ({ traderId, taskId }: TriggerResult, type: keyof typeof segments): Promise<Task> =>
  client().ok('GET', `${v1}/traders/${traderId}/inventory/${segments[type]}/${taskId}`);

test('every answer, including problems, identifies the sandbox', async () => {
  const paths = ['/healthz', '/openapi.yaml', `${v1}/traders`, '/nowhere', '/.well-known/statement-keys.json'];
  for (const path of paths) {
    const { headers } = await system().createClient('nobody').send('GET', path);
    expect({ path, sandbox: headers['sandbox'] }).toEqual({ path, sandbox: 'true' });
  }
});

test.each([
  ['trade-succeeded', 'TRADE', 'SUCCESS'],
  ['retirement-succeeded', 'RETIREMENT', 'SUCCESS'],
  ['offramp-succeeded', 'OFFRAMP', 'SUCCESS'],
  ['approval-approved', 'TRADE', 'SUCCESS'],
  ['approval-rejected', 'TRADE', 'REJECTED'],
] as const)('%s: a %s ends as %s, and its event is logged', async (kind, type, status) => {
  const happened = await trigger(client(), kind);
  expect(happened).toMatchObject({ kind, proposalId: null });
  expect(await getTask(happened, type)).toMatchObject({ status, responsePayload: { id: happened.transactionId } });
  const transactionId = String(happened.transactionId);
  expect(await readTransaction(client(), transactionId)).toMatchObject({ type, status });
  expect(await waitForEvent(client(), transactionId)).toMatchObject({ payload: { transactionId, status } });
});

test('the signed statement of a retirement says that it comes from a sandbox', async () => {
  const { transactionId } = await trigger(client(), 'retirement-succeeded');
  const { statement } = await client().ok<{ statement: { id: string } }>(
    'GET',
    `${v1}/transactions/${transactionId}/detail`,
  );
  const shown = await system()
    .createClient('nobody')
    .ok<{ sandbox: boolean; signature: string }>('GET', `/public/v1/statements/${statement.id}`);
  const [, payload = ''] = shown.signature.split('.');
  expect(shown.sandbox).toBe(true);
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ id: statement.id, sandbox: true });
});

test('task-failed: an accepted task fails', async () => {
  const happened = await trigger(client(), 'task-failed');
  expect(await getTask(happened, 'TRADE')).toMatchObject({ status: 'FAILED', message: happened.message });
});

test('approval-pending: a trade is pending, and its certificates are reserved', async () => {
  const happened = await trigger(client(), 'approval-pending');
  expect(await getTask(happened, 'TRADE')).toMatchObject({ status: 'PENDING' });
  expect(await readTransaction(client(), String(happened.transactionId))).toMatchObject({ status: 'PENDING' });
});

test('proposal-submitted: each trigger submits another proposal', async () => {
  const both = [await trigger(client(), 'proposal-submitted'), await trigger(client(), 'proposal-submitted')];
  const proposals = await client().ok<{ id: string; status: string }[]>('GET', `${v1}/trader-onboarding-proposals`);
  for (const { proposalId } of both)
    expect(proposals).toContainEqual(expect.objectContaining({ id: proposalId, status: 'PENDING' }));
  expect(both[0]?.proposalId).not.toBe(both[1]?.proposalId);
});

test("holder-suspended: the trader's certificates are visible, but can neither be sold nor increased", async () => {
  const both = [await trigger(client(), 'holder-suspended'), await trigger(client(), 'holder-suspended')];
  const [{ traderId }] = both as [TriggerResult];
  expect(traderId).not.toBe(both[1]?.traderId);
  const path = `${v1}/traders/${traderId}/inventory`;
  const [bundle] = await client().ok<{ start: string; volume: number }[]>('GET', path);
  expect(bundle).toMatchObject({ volume: 10 });
  const { range } = await issue(system(), first());
  const sold = { start: bundle?.start, end: bundle?.start, unitPrice: 1 };
  const bought = { ...range(1, 1), unitPrice: 1 };
  const trade = (from: string | null, buyerId: string | null | undefined, asset: object) =>
    client().send('POST', `${v1}/traders/${from}/inventory/trade`, {
      headers: { 'idempotency-key': randomUUID() },
      body: { buyerId, currency: 'EUR', assets: [asset] },
    });
  expect(await trade(traderId, first().traders[1]?.id, sold)).toMatchObject({
    status: 400,
    body: { errors: [{ parameter: 'traderId', code: 'account-holder-suspended' }] },
  });
  expect(await trade(seller(first()).id, traderId, bought)).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/buyerId', code: 'account-holder-suspended' }] },
  });
  expect(await trigger(client(), 'trade-succeeded')).toMatchObject({ kind: 'trade-succeeded' });
});

test('webhook-down and webhook-late: the receiver gets nothing for a while, then every message', async () => {
  const [down, late] = [await addEndpoint('/down'), await addEndpoint('/late')];
  expect(await trigger(client(), 'webhook-down', { webhookEndpointId: down, seconds: 10 })).toMatchObject({
    webhookEndpointIds: [down],
    until: expect.any(String),
    taskId: null,
  });
  await trigger(client(), 'webhook-late', { webhookEndpointId: late, seconds: 10 });
  const { transactionId } = await trigger(client(), 'trade-succeeded');
  const { id } = await waitForEvent(client(), String(transactionId));
  const deliveryTo = (endpoint: string): Promise<Delivery> =>
    eventually(async () => {
      const [delivery] = await client().ok<Delivery[]>('GET', `${endpoints}/${endpoint}/deliveries`, {
        query: { '$filter[eventId][eq]': id },
      });
      return delivery;
    }, 'the delivery');
  for (const endpoint of [down, late])
    expect(await deliveryTo(endpoint)).toMatchObject({ status: 'PENDING', lastAttempt: { statusCode: 503 } });
  expect(arrivalsOf(id)).toEqual([]);
  // The late message arrives without a retry.
  await eventually(async () => (await deliveryTo(late)).status === 'SUCCESS', 'the late message');
  // The automatic retry would take minutes.
  await eventually(async () => {
    const delivery = await deliveryTo(down);
    if (delivery.status === 'PENDING')
      await client().ok('POST', `${endpoints}/${down}/deliveries/${delivery.id}/retry`);
    return delivery.status === 'SUCCESS';
  }, 'the message after the time of being down');
  const arrivals = arrivalsOf(id);
  // A retry requested during an attempt may deliver the message twice.
  expect([...new Set(arrivals)].toSorted()).toEqual(['/events/down', '/events/late']);
  expect(arrivals.filter((path) => path === '/events/late')).toHaveLength(1);
});

test('only users who may change a webhook endpoint can break it, and it is not found for others', async () => {
  const [, other] = system().channels;
  const own = await addEndpoint('/own');
  const stranger = system().createClient(operator(other));
  const ask = (who: Client, body: object) => who.send('POST', `${v1}/sandbox/triggers`, { body });
  const down = { kind: 'webhook-down', webhookEndpointId: own };
  expect(await ask(stranger, down)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
  expect(await ask(client(), { ...down, webhookEndpointId: 'none' })).toMatchObject({ status: 404 });
  const trading = system().createClient(await system().newUser(first(), ['TRANSACTION_ADMINISTRATOR', 'EVENT_VIEWER']));
  expect(await ask(trading, down)).toMatchObject({ status: 403 });
  for (const body of [
    { ...down, seconds: 9 },
    { ...down, seconds: 3_601 },
    { ...down, kind: 'task-failed' },
  ])
    expect(await ask(client(), body)).toMatchObject({ status: 400, body: { type: '/problems/invalid-request' } });
});

test('sample-traders: concurrent triggers create the same traders, each with their own certificates', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => trigger(client(), 'sample-traders')));
  expect(new Set(answers.map(({ traderId }) => traderId)).size).toBe(1);
  const bundles = await client().ok<{ volume: number }[]>('GET', `${v1}/traders/${answers[0]?.traderId}/inventory`);
  expect(bundles.filter(({ volume }) => volume === 10).length).toBeGreaterThanOrEqual(5);
});

test('the sandbox does nothing that the caller may not do', async () => {
  const [, other] = system().channels;
  const only = system().createClient(await system().newUser(other, ['TRANSACTION_ADMINISTRATOR']));
  // The sandbox would have to accept its traders, and take certificates out of the channel.
  for (const kind of ['trade-succeeded', 'offramp-succeeded', 'sample-traders'])
    expect(await only.send('POST', `${v1}/sandbox/triggers`, { body: { kind } })).toMatchObject({ status: 403 });
  expect(await trigger(only, 'proposal-submitted')).toMatchObject({ taskId: null });
  const guest = system().createClient(other.users[1]);
  const body = { kind: 'proposal-submitted' };
  expect(await guest.send('POST', `${v1}/sandbox/triggers`, { body })).toMatchObject({ status: 403 });
  expect(await only.send('POST', `${v1}/sandbox/reset`)).toMatchObject({ status: 403 });
});

test.each([{ kind: 'earthquake' }, {}, { kind: 'trade-succeeded', when: 'now' }])('%j is refused', async (body) => {
  expect(await client().send('POST', `${v1}/sandbox/triggers`, { body })).toMatchObject({
    status: 400,
    body: { type: '/problems/invalid-request' },
  });
});

/** Resolves with the channel of a user once the gateway knows it. */
const onChannel = (user: DemoUser, salesChannelId: string): Promise<Me> =>
  eventually(async () => {
    const me = await system().createClient(user).ok<Me>('GET', '/account-portal/me');
    return me.salesChannel?.id === salesChannelId && me;
  }, 'the new channel');

test('a reset during trades keeps users, roles and keys, and leaves nothing half done', async () => {
  const [channel, other] = system().channels;
  const before = await system().createClient(operator(other)).ok<unknown[]>('GET', `${v1}/transactions`);
  const bundle = await issue(system(), channel);
  const buyerId = channel.traders[1]?.id;
  const assets = [{ ...bundle.range(1, 10), unitPrice: 1 }];
  const done = await runTransfer(client(), seller(channel).id, 'trade', { buyerId, currency: 'EUR', assets });
  expect(done.status).toBe('SUCCESS');
  const guest = channel.users[1];
  const endpoint = await addEndpoint('/left');
  const triggered = Array.from({ length: 6 }, () =>
    client().send<TriggerResult>('POST', `${v1}/sandbox/triggers`, { body: { kind: 'trade-succeeded' } }),
  );
  // Concurrent resets during trades.
  const resets = await Promise.all(Array.from({ length: 4 }, () => reset(client())));
  const [{ salesChannelId, previousSalesChannelId }] = resets as [Reset];
  expect(previousSalesChannelId).toBe(channel.salesChannelId);
  expect(new Set(resets.map((each) => each.salesChannelId))).toEqual(new Set([salesChannelId]));
  expect(salesChannelId).not.toBe(previousSalesChannelId);
  // Each of the others is complete or rejected, as the final audit of all databases proves.
  for (const { status } of await Promise.all(triggered)) expect([201, 400, 403, 404]).toContain(status);

  const me = await onChannel(operator(channel), salesChannelId);
  expect(me.roles).toEqual([...operator(channel).roles]);
  expect(await onChannel(guest, salesChannelId)).toMatchObject({ roles: [] });
  expect(await client().ok('GET', `${v1}/traders`)).toEqual([]);
  expect(await client().ok('GET', `${v1}/transactions`)).toEqual([]);
  expect(await client().ok('GET', endpoints)).toEqual([]);
  const sentTo = await system().querySql<{ id: string }>(
    'webhooks',
    `select id from endpoint where sales_channel_id = $1 and status <> 'DELETED'`,
    [previousSalesChannelId],
  );
  expect({ endpoint, sentTo }).toEqual({ endpoint, sentTo: [] });
  expect(await trigger(client(), 'trade-succeeded')).toMatchObject({ kind: 'trade-succeeded' });
  // The old data remains, without a user who could change it.
  const [old] = await system().querySql<{ status: string; replacedBy: string }>(
    'rbac',
    `select case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status, replaced_by as "replacedBy"
     from sales_channel where id = $1`,
    [previousSalesChannelId],
  );
  expect(old).toEqual({ status: 'SUSPENDED', replacedBy: salesChannelId });
  const [kept] = await system().querySql('inventory', 'select id from ledger_transaction where id = $1', [
    done.responsePayload.id,
  ]);
  expect(kept).toBeDefined();

  expect(await onChannel(operator(other), other.salesChannelId)).toMatchObject({ roles: [...operator(other).roles] });
  expect(await system().createClient(operator(other)).ok<unknown[]>('GET', `${v1}/transactions`)).toEqual(before);
});

test('scs triggers events, and resets with the same key', async () => {
  const scs = new Scs();
  try {
    const { id, secret } = operator(first()).apiKey;
    await scs.run(['login', '--base-url', system().baseUrl, '--api-key'], `${id}\n${secret}\n`);
    const [happened] = await scs.records<TriggerResult>('trigger', 'approval-rejected');
    expect(happened).toMatchObject({ kind: 'approval-rejected', transactionId: expect.any(String) });
    expect(await scs.run(['trigger', 'rain'])).toMatchObject({ code: 2, output: '' });
    const scsEndpoint = await addEndpoint('/scs');
    const [down] = await scs.records<TriggerResult>(
      'trigger',
      'webhook-down',
      '--endpoint',
      scsEndpoint,
      '--seconds',
      '30',
    );
    expect(down).toMatchObject({ kind: 'webhook-down', webhookEndpointIds: [scsEndpoint] });
    expect(await scs.run(['reset'])).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });

    const [moved] = await scs.records<Reset>('reset', '--yes');
    expect(moved?.previousSalesChannelId).not.toBe(moved?.salesChannelId);
    expect(await scs.records('traders')).toHaveLength(3);
    expect(await scs.records('transactions')).toEqual([]);
  } finally {
    scs.leave();
  }
});

testCoverage('sandbox');
