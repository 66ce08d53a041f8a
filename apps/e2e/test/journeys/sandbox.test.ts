import { expect, test } from '@jest/globals';
import type { DemoChannel, DemoUser } from '@saleschannel/local';
import { eventually } from '@saleschannel/testing';
import type { Client } from '../../src/client.ts';
import { testCoverage } from '../support/coverage.ts';
import { Scs } from '../support/scs.ts';
import { useSystem } from '../support/system.ts';
import { eventOf, issue, operator, readTransaction, seller, transfer, v1, type Task } from '../support/world.ts';

/** An installation that is a sandbox: what happens on demand, and how a channel begins anew. */

const system = useSystem({ variables: { SANDBOX: 'true' } });

interface Happened {
  kind: string;
  message: string;
  traderId: string | null;
  taskId: string | null;
  transactionId: string | null;
  proposalId: string | null;
}

interface Reset {
  salesChannelId: string;
  previousSalesChannelId: string;
}

interface Me {
  salesChannel: { id: string } | null;
  roles: string[];
}

const trigger = (client: Client, kind: string): Promise<Happened> =>
  client.ok('POST', `${v1}/sandbox/triggers`, { body: { kind } });
const reset = (client: Client): Promise<Reset> => client.ok('POST', `${v1}/sandbox/reset`);

const first = (): DemoChannel => system().channels[0];
const client = (): Client => system().as(operator(first()));

const segments = { TRADE: 'trade', RETIREMENT: 'retire', OFFRAMP: 'offramp' } as const;

const taskOf = ({ traderId, taskId }: Happened, type: keyof typeof segments): Promise<Task> =>
  client().ok('GET', `${v1}/traders/${traderId}/inventory/${segments[type]}/${taskId}`);

test('every answer says that this is a sandbox, problems too', async () => {
  const paths = ['/healthz', '/openapi.yaml', `${v1}/traders`, '/nowhere', '/.well-known/statement-keys.json'];
  for (const path of paths) {
    const { headers } = await system().as('nobody').send('GET', path);
    expect({ path, sandbox: headers['sandbox'] }).toEqual({ path, sandbox: 'true' });
  }
});

test.each([
  ['trade-succeeded', 'TRADE', 'SUCCESS'],
  ['retirement-succeeded', 'RETIREMENT', 'SUCCESS'],
  ['offramp-succeeded', 'OFFRAMP', 'SUCCESS'],
  ['approval-approved', 'TRADE', 'SUCCESS'],
  ['approval-rejected', 'TRADE', 'REJECTED'],
] as const)('%s: a %s ends as %s, and its event is in the log', async (kind, type, status) => {
  const happened = await trigger(client(), kind);
  expect(happened).toMatchObject({ kind, proposalId: null });
  expect(await taskOf(happened, type)).toMatchObject({ status, responsePayload: { id: happened.transactionId } });
  const transactionId = String(happened.transactionId);
  expect(await readTransaction(client(), transactionId)).toMatchObject({ type, status });
  expect(await eventOf(client(), transactionId)).toMatchObject({ payload: { transactionId, status } });
});

test('the statement of a retirement says under its signature that it comes from a sandbox', async () => {
  const { transactionId } = await trigger(client(), 'retirement-succeeded');
  const { statement } = await client().ok<{ statement: { id: string } }>(
    'GET',
    `${v1}/transactions/${transactionId}/detail`,
  );
  const shown = await system()
    .as('nobody')
    .ok<{ sandbox: boolean; signature: string }>('GET', `/public/v1/statements/${statement.id}`);
  const [, payload = ''] = shown.signature.split('.');
  expect(shown.sandbox).toBe(true);
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ id: statement.id, sandbox: true });
});

test('task-failed: the task was accepted, and has failed', async () => {
  const happened = await trigger(client(), 'task-failed');
  expect(await taskOf(happened, 'TRADE')).toMatchObject({ status: 'FAILED', message: happened.message });
});

test('approval-pending: the trade waits, and the certificates are reserved', async () => {
  const happened = await trigger(client(), 'approval-pending');
  expect(await taskOf(happened, 'TRADE')).toMatchObject({ status: 'PENDING' });
  expect(await readTransaction(client(), String(happened.transactionId))).toMatchObject({ status: 'PENDING' });
});

test('proposal-submitted: each time another one waits for the channel', async () => {
  const both = [await trigger(client(), 'proposal-submitted'), await trigger(client(), 'proposal-submitted')];
  const proposals = await client().ok<{ id: string; status: string }[]>('GET', `${v1}/trader-onboarding-proposals`);
  for (const { proposalId } of both)
    expect(proposals).toContainEqual(expect.objectContaining({ id: proposalId, status: 'PENDING' }));
  expect(both[0]?.proposalId).not.toBe(both[1]?.proposalId);
});

test('sample-traders: many at once make the same traders, each with certificates of its own', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => trigger(client(), 'sample-traders')));
  expect(new Set(answers.map(({ traderId }) => traderId)).size).toBe(1);
  const bundles = await client().ok<{ volume: number }[]>('GET', `${v1}/traders/${answers[0]?.traderId}/inventory`);
  expect(bundles.filter(({ volume }) => volume === 10).length).toBeGreaterThanOrEqual(5);
});

test('what the caller may not do, the sandbox does not do for them', async () => {
  const [, other] = system().channels;
  const only = system().as(await system().newUser(other, ['TRANSACTION_ADMINISTRATOR']));
  // It would have to accept the traders of the sandbox, and take certificates out of the channel.
  for (const kind of ['trade-succeeded', 'offramp-succeeded', 'sample-traders'])
    expect(await only.send('POST', `${v1}/sandbox/triggers`, { body: { kind } })).toMatchObject({ status: 403 });
  expect(await trigger(only, 'proposal-submitted')).toMatchObject({ taskId: null });
  const guest = system().as(other.users[1]);
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

/** The channel of a user as soon as the gateway knows it. */
const onChannel = (user: DemoUser, salesChannelId: string): Promise<Me> =>
  eventually(async () => {
    const me = await system().as(user).ok<Me>('GET', '/account-portal/me');
    return me.salesChannel?.id === salesChannelId && me;
  }, 'the new channel');

test('a reset while trades run: users, roles and keys come along, and nothing is half done', async () => {
  const [channel, other] = system().channels;
  const before = await system().as(operator(other)).ok<unknown[]>('GET', `${v1}/transactions`);
  const bundle = await issue(system(), channel);
  const buyerId = channel.traders[1]?.id;
  const assets = [{ ...bundle.range(1, 10), unitPrice: 1 }];
  const done = await transfer(client(), seller(channel).id, 'trade', { buyerId, currency: 'EUR', assets });
  expect(done.status).toBe('SUCCESS');
  const guest = channel.users[1];
  const triggered = Array.from({ length: 6 }, () =>
    client().send<Happened>('POST', `${v1}/sandbox/triggers`, { body: { kind: 'trade-succeeded' } }),
  );
  // All ask at once, while trades are made.
  const resets = await Promise.all(Array.from({ length: 4 }, () => reset(client())));
  const [{ salesChannelId, previousSalesChannelId }] = resets as [Reset];
  expect(previousSalesChannelId).toBe(channel.salesChannelId);
  expect(new Set(resets.map((each) => each.salesChannelId))).toEqual(new Set([salesChannelId]));
  expect(salesChannelId).not.toBe(previousSalesChannelId);
  // Each of the others was done as a whole, or refused: the audit of all databases comes after the last test.
  for (const { status } of await Promise.all(triggered)) expect([201, 400, 403, 404]).toContain(status);

  const me = await onChannel(operator(channel), salesChannelId);
  expect(me.roles).toEqual([...operator(channel).roles]);
  expect(await onChannel(guest, salesChannelId)).toMatchObject({ roles: [] });
  expect(await client().ok('GET', `${v1}/traders`)).toEqual([]);
  expect(await client().ok('GET', `${v1}/transactions`)).toEqual([]);
  expect(await trigger(client(), 'trade-succeeded')).toMatchObject({ kind: 'trade-succeeded' });
  // What was there is still there, and belongs to nobody who could change it.
  const [old] = await system().sql<{ status: string; replacedBy: string }>(
    'rbac',
    `select case when suspended_at is null then 'ACTIVE' else 'SUSPENDED' end as status, replaced_by as "replacedBy"
     from sales_channel where id = $1`,
    [previousSalesChannelId],
  );
  expect(old).toEqual({ status: 'SUSPENDED', replacedBy: salesChannelId });
  const [kept] = await system().sql('inventory', 'select id from ledger_transaction where id = $1', [
    done.responsePayload.id,
  ]);
  expect(kept).toBeDefined();

  expect(await onChannel(operator(other), other.salesChannelId)).toMatchObject({ roles: [...operator(other).roles] });
  expect(await system().as(operator(other)).ok<unknown[]>('GET', `${v1}/transactions`)).toEqual(before);
});

test('scs makes it happen, and begins anew with the same key', async () => {
  const scs = new Scs();
  try {
    const { id, secret } = operator(first()).apiKey;
    await scs.run(['login', '--base-url', system().baseUrl, '--api-key'], `${id}\n${secret}\n`);
    const [happened] = await scs.records<Happened>('trigger', 'approval-rejected');
    expect(happened).toMatchObject({ kind: 'approval-rejected', transactionId: expect.any(String) });
    expect(await scs.run(['trigger', 'rain'])).toMatchObject({ code: 2, output: '' });
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
