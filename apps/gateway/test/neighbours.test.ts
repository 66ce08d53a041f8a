import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contract as eventsContract } from './contracts/events.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as sandboxContract } from './contracts/sandbox.ts';
import { contract as tasksContract } from './contracts/tasks.ts';
import { contract as tradersContract } from './contracts/traders.ts';
import { startWithProviders, withoutTrail, type ContractedSystem } from './support/providers.ts';
import type { CallOptions } from './support/system.ts';

/**
 * The gateway against providers that return the minimum of its contracts. Each call checks the response against the
 * public contract.
 */

let system: ContractedSystem;
let read: ContractedSystem['read'];
beforeAll(async () => {
  const audited = [tradersContract, rbacContract];
  system = await startWithProviders(tasksContract, eventsContract, sandboxContract, ...audited.map(withoutTrail));
  ({ read } = system);
});
afterAll(() => system.stop());

const trade = (buyerId: string, idempotencyKey: string, prefer = 'wait=0') =>
  system.call('startTrade', {
    path: { traderId: 's1' },
    headers: { 'Idempotency-Key': idempotencyKey, Prefer: prefer },
    body: { buyerId, currency: 'EUR', assets: [{ start: 'i1_1', end: 'i1_5', unitPrice: 0.1 }] },
  });
const task = (taskId: string): CallOptions => ({ path: { traderId: 's1', taskId } });

test('a trade starts, or is refused by tasks', async () => {
  const started = await trade('b1', 'key-1');
  expect(started.status).toBe(201);
  expect(JSON.parse(started.text)).toMatchObject({ taskId: 'k1', status: 'PENDING' });
  const ended = await trade('b1', 'key-1', 'wait=5');
  expect(JSON.parse(ended.text)).toMatchObject({ taskId: 'k1', status: 'SUCCESS', responsePayload: { id: 'x1' } });
  const refused = await trade('s1', 'key-2');
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toMatchObject({ errors: [{ pointer: '#/buyerId' }] });
});

test('a task has its transaction once it exists', async () => {
  expect(await read('getTradeTask', task('k1'))).toMatchObject({ status: 'SUCCESS', responsePayload: { id: 'x1' } });
  expect(await read('getTradeTask', task('k2'))).toMatchObject({ status: 'PENDING', responsePayload: {} });
  expect((await system.call('getTradeTask', task('k3'))).status).toBe(404);
});

test('tasks are listed', async () => {
  const query = '$filter[type][eq]=TRADE&$filter[traderId][eq]=s1&$orderBy[createdAt]=asc';
  expect(await read('listTasks', { query })).toMatchObject([{ taskId: 'k2', type: 'TRADE', traderId: 's1' }]);
});

const trader = { path: { traderId: 't1' } };
const proposal = { path: { traderOnboardingProposalId: 'p1' } };

test('traders are created, changed and read', async () => {
  const body = { businessId: 'NO-1', name: 'Fjordkarbon AS', address: { city: 'Oslo' } };
  const created = await system.call('createTrader', { headers: { 'Idempotency-Key': 'key-1' }, body });
  expect([created.status, created.headers.location]).toEqual([201, '/saleschannel-services/v1/traders/t1']);
  expect(await read('updateTrader', { ...trader, body: { name: 'Karbonfjord AS' } })).toMatchObject({
    name: 'Karbonfjord AS',
  });
  expect(await read('getTrader', trader)).toMatchObject({ id: 't1', address: { city: 'Oslo' } });
  expect((await system.call('getTrader', { path: { traderId: 't3' } })).status).toBe(404);
  expect(await read('listTraders')).toMatchObject([{ id: 't1' }, { id: 't2' }]);
  expect(await read('listTraders', { query: '$filter[name][contains]=LAIN&$limit=1' })).toHaveLength(1);
  expect(await read('listTraders', { query: '$filter[name][startsWith]=Plain&$limit=1' })).toMatchObject([
    { id: 't2' },
  ]);
});

test('proposals are read and decided', async () => {
  expect(await read('listProposals', { query: '$filter[status][eq]=PENDING' })).toMatchObject([
    { id: 'p1', status: 'PENDING', onboardedTraderId: null },
  ]);
  expect(await read('listProposals', { query: '$limit=10' })).toMatchObject([{ id: 'p1' }]);
  expect(await read('listHolderProposals')).toMatchObject([{ id: 'p1', accountHolderId: 'h1', salesChannelId: 'c1' }]);
  expect(await read('acceptProposal', proposal)).toMatchObject({ status: 'ACCEPTED', onboardedTraderId: 't1' });
  expect(await read('rejectProposal', proposal)).toMatchObject({ status: 'REJECTED' });
});

test('a search finds proposals to the channel, and channels to apply to', async () => {
  const found = (q: string, user: Parameters<typeof system.user>[0]) =>
    read('search', { query: `q=${q}`, headers: { authorization: system.user(user).authorization } });
  expect(await found('p1', { roles: ['TRADERONBOARDERPROPOSAL_VIEWER'] })).toEqual({
    results: [{ kind: 'PROPOSAL', id: 'p1', name: 'Havkalk AS' }],
  });
  expect(await found('Nordic', { roles: [], accountHolderId: 'h1' })).toMatchObject({
    results: expect.arrayContaining([{ kind: 'SALES_CHANNEL', id: 'c1', name: 'Nordic' }]),
  });
});

test('events are listed', async () => {
  const query = '$filter[createdAt][gt]=2026-01-01T00:00:00.001Z&$orderBy[createdAt]=desc&$limit=2';
  expect(await read('listEvents', { query })).toMatchObject([
    { id: 'e3', payload: { transactionId: 'x3', status: 'SUCCESS' } },
    { id: 'e2' },
  ]);
});

test('events are streamed after the last one of the client', async () => {
  const { text } = await system.call('streamEvents', { headers: { 'Last-Event-ID': 'e1' } });
  const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  expect(ids).toEqual(['e1', 'e2', 'e3']);
});

test('users of account holders list sales channels', async () => {
  expect(await read('listOpenSalesChannels', { query: '$limit=1000' })).toEqual([{ id: 'c1', name: 'Nordic' }]);
});

const on = (userId: string, role?: string): CallOptions => ({
  path: { userId, salesChannelId: 'c1' },
  ...(role !== undefined && { query: `role=${role}` }),
});

test('users of a channel have bindings and roles', async () => {
  const binding = { userId: 'u1', salesChannelId: 'c1', roles: ['ASSET_VIEWER'] };
  expect(await read('getOwnBinding')).toEqual(binding);
  expect(await read('getUserBinding', on('u1'))).toEqual(binding);
  expect((await system.call('getUserBinding', on('u2'))).status).toBe(404);
  expect(await read('listChannelUsers')).toMatchObject([{ userId: 'u1', roles: ['ASSET_VIEWER'] }, {}]);
  expect(await read('bindUser', on('u2'))).toEqual({ userId: 'u2', salesChannelId: 'c1', roles: [] });
  expect(await read('unbindUser', on('u1'))).toEqual(binding);
  expect(await read('grantRole', on('u1', 'EVENT_VIEWER'))).toMatchObject({ role: 'EVENT_VIEWER' });
  expect(await read('removeRole', on('u1', 'ASSET_VIEWER'))).toMatchObject({ role: 'ASSET_VIEWER' });
});

test('users are invited', async () => {
  const body = { email: 'anna@id.example', roles: ['EVENT_VIEWER'] };
  expect(await read('createInvitation', { body })).toMatchObject({ id: 'i1', token: 'scs_inv_x', status: 'PENDING' });
  expect(await read('listInvitations')).toMatchObject([{ id: 'i1', email: null, status: 'PENDING' }]);
  expect(await read('revokeInvitation', { path: { invitationId: 'i1' } })).toMatchObject({ status: 'REVOKED' });
  expect(await read('acceptInvitation', { body: { token: 'scs_inv_x' } })).toMatchObject({ salesChannelId: 'c1' });
});

test('a sandbox triggers events', async () => {
  const trigger = (body: object) => read('triggerSandboxEvent', { body });
  expect(await trigger({ kind: 'trade-succeeded' })).toMatchObject({ taskId: 'k1', transactionId: 'x1', until: null });
  expect(await trigger({ kind: 'proposal-submitted' })).toMatchObject({ proposalId: 'p1', taskId: null });
  const down = { kind: 'webhook-down', webhookEndpointId: 'e1', seconds: 10 };
  expect(await trigger(down)).toMatchObject({ webhookEndpointIds: ['e1'], until: expect.any(String) });
  expect(await read('resetSandbox')).toEqual({ salesChannelId: 'c2', previousSalesChannelId: 'c1' });
});
