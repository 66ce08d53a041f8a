import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contract as eventsContract } from './contracts/events.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as sandboxContract } from './contracts/sandbox.ts';
import { contract as tasksContract } from './contracts/tasks.ts';
import { contract as tradersContract } from './contracts/traders.ts';
import { startWithProviders, withoutTrail, type ContractedSystem, type CallOptions } from './support/system.ts';
import { contract as webhooksContract } from './contracts/webhooks.ts';
import { contract as registryImportContract, facility, issuance } from './contracts/registry-import.ts';

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

describe('webhooks', () => {
  /** The gateway against a webhooks service that returns the minimum of its contract. */

  let system: ContractedSystem;
  beforeAll(async () => {
    system = await startWithProviders(withoutTrail(webhooksContract));
  });
  afterAll(() => system.stop());

  const plain = { path: { webhookEndpointId: 'w1' } };
  const failing = { path: { webhookEndpointId: 'w2', deliveryId: 'd1' } };
  const url = 'https://hooks.example/in';

  test('endpoints are read', async () => {
    const expected = { id: 'w1', description: null, eventTypes: null, status: 'ENABLED', failingSince: null };
    expect(await system.read('listWebhookEndpoints')).toMatchObject([expected]);
    expect(await system.read('getWebhookEndpoint', plain)).toMatchObject(expected);
    expect(await system.read('getWebhookEndpoint', failing)).toMatchObject({
      id: 'w2',
      position: { eventId: 'e1' },
      pendingDeliveries: 1,
      failingSince: expect.any(String),
    });
    expect(await system.statusOf('getWebhookEndpoint', { path: { webhookEndpointId: 'w3' } })).toBe(404);
  });

  test('endpoints are created, changed and deleted', async () => {
    const body = { url, description: 'Orders', eventTypes: ['TRANSACTION_STATUS_CHANGE'], ordered: true };
    expect(await system.read('createWebhookEndpoint', { body })).toMatchObject({
      ...body,
      id: 'w9',
      secret: 'whsec_eA==',
    });
    const change = { url, description: null, eventTypes: null, status: 'DISABLED' };
    expect(await system.read('updateWebhookEndpoint', { ...plain, body: change })).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'MANUAL',
    });
    expect(await system.read('rotateWebhookSecret', { ...plain, body: {} })).toMatchObject({
      secret: 'whsec_eA==',
      secrets: [{ expiresAt: null }, { expiresAt: expect.any(String) }],
    });
    expect(await system.read('deleteWebhookEndpoint', plain)).toMatchObject({ id: 'w1' });
  });

  test('messages are tested, and retried', async () => {
    expect(await system.read('testWebhookEndpoint', plain)).toMatchObject({
      type: 'TEST',
      event: null,
      lastAttempt: null,
    });
    const body = { from: '2025-03-04T10:02:11.318Z' };
    expect(await system.read('replayWebhookEvents', { ...plain, body })).toMatchObject({ ...body, failedOnly: false });
    expect(await system.read('retryWebhookDelivery', failing)).toMatchObject({ id: 'd1', status: 'PENDING' });
  });

  test('deliveries are read', async () => {
    const expected = { id: 'd1', messageId: 'e1', event: { id: 'e1' }, lastAttempt: { statusCode: 503 } };
    const query = '$filter[status][eq]=PENDING&$filter[eventId][eq]=e1&$orderBy[createdAt]=asc&$limit=1';
    expect(await system.read('listWebhookDeliveries', { ...failing, query })).toMatchObject([expected]);
    expect(await system.read('getWebhookDelivery', failing)).toMatchObject({ ...expected, body: '{}', attempts: [{}] });
  });
});

describe('registry-import', () => {
  /** The gateway against a registry-import that returns the minimum of its contract. */

  let system: ContractedSystem;
  beforeAll(async () => {
    system = await startWithProviders(withoutTrail(registryImportContract));
  });
  afterAll(() => system.stop());

  const one = { path: { accountHolderId: 'h1' } };
  const headers = { 'Idempotency-Key': 'key-1' };
  const assets = [{ start: 'i1_1', end: 'i1_5' }];
  const address = { postalCode: '3208', city: 'Sandefjord', country: 'Norway', street1: 'Ranvikveien 9' };

  test('account holders are read, created and changed', async () => {
    const expected = {
      accountHolderId: 'h1',
      address: { ...address, street2: null },
      autoApproval: true,
      status: 'ACTIVE',
    };
    for (const query of ['businessId=NO-2', 'businessId=NO-2&nameContains=Havkalk'])
      expect(await system.read('listAccountHolders', { query })).toMatchObject({ data: [expected] });
    expect(await system.read('getAccountHolder', one)).toMatchObject(expected);
    expect(await system.statusOf('getAccountHolder', { path: { accountHolderId: 'h9' } })).toBe(404);
    const created = await system.call('createAccountHolder', {
      body: { name: 'Havkalk', businessId: 'NO-3', address },
    });
    expect([created.status, created.headers.location]).toEqual([201, '/Registry/api/account-holders/h3']);
    const body = { autoApproval: false };
    expect(await system.read('updateAccountHolder', { ...one, body })).toMatchObject(body);
  });

  test('users of an account holder read and change it', async () => {
    expect(await system.read('getOwnHolder')).toMatchObject({ accountHolderId: 'h1', kind: 'HOLDER' });
    const body = { autoApproval: false };
    expect(await system.read('updateOwnHolder', { body })).toMatchObject(body);
  });

  test('certificates are onramped', async () => {
    const body = { salesChannelId: 'c1', assets };
    const byRegistry = await system.call('onramp', { ...one, headers, body });
    expect([byRegistry.status, byRegistry.headers.location]).toEqual([201, '/Registry/api/transactions/x1']);
    const byHolder = await system.call('onrampHoldings', { headers, body });
    expect([byHolder.status, byHolder.headers.location]).toEqual([201, '/account-portal/transactions/x1']);
  });

  test('proposals are submitted and read', async () => {
    const created = {
      id: 'p1',
      accountHolderId: 'h1',
      salesChannelId: 'c1',
      status: 'PENDING',
      onboardedTraderId: null,
    };
    const body = { accountHolderId: 'h1', salesChannelId: 'c1' };
    expect(await system.read('submitProposal', { body })).toMatchObject(created);
    expect(await system.read('submitHolderProposal', { body: { salesChannelId: 'c1' } })).toMatchObject(created);
    expect(await system.read('listSubmittedProposals', { query: 'accountHolderId=h1' })).toMatchObject({
      data: [created],
    });
    const path = { traderOnboardingProposalId: 'p1' };
    expect(await system.read('getSubmittedProposal', { path })).toMatchObject(created);
  });

  test('facilities and issuances are recorded', async () => {
    const put = await system.call('putFacility', { path: { code: 'K7M2QX' }, body: facility });
    expect([put.status, JSON.parse(put.text)]).toMatchObject([201, { productionFacilityId: 'f1', ...facility }]);
    const issued = {
      issuanceId: '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
      productionFacilityCode: 'K7M2QX',
      ...issuance,
      accountHolderId: 'h1',
    };
    const created = await system.call('createIssuance', { body: issued });
    expect([created.status, JSON.parse(created.text)]).toMatchObject([201, { ...issued, volume: 500 }]);
  });

  test('files are imported, with their results', async () => {
    const body = '{"type":"nothing"}\n';
    const started = await system.call('startImport', { headers: { 'Content-Type': 'application/x-ndjson' }, body });
    expect([started.status, started.headers.location]).toEqual([202, '/Registry/api/imports/m1']);
    const ended = { importId: 'm2', linesRead: 1, linesApplied: 0, linesFailed: 1 };
    expect(await system.read('listImports')).toMatchObject({ data: [ended] });
    expect(await system.read('getImport', { path: { importId: 'm2' } })).toMatchObject(ended);
    expect(await system.read('listImportErrors', { path: { importId: 'm2' } })).toMatchObject({ data: [{ line: 1 }] });
  });
});
