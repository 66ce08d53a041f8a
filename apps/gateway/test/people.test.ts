import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectProblem } from './support/http.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

const at = samples.keyDetail.lastUsedOn;
let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

test('getMe returns the status of channel and account holder, without reasons', async () => {
  const answer = await system.call('getMe');
  expect(JSON.parse(answer.text)).toEqual({
    userId: 'u1',
    issuer: 'https://id.example',
    subject: 'anna',
    email: 'anna@id.example',
    name: 'Anna Berg',
    salesChannel: { id: 'c1', name: 'Nordic', status: 'SUSPENDED' },
    roles: ['EVENT_VIEWER'],
    accountHolder: { id: 'h1', name: 'Havkalk', kind: 'HOLDER', status: 'ACTIVE' },
  });
});

test('only users of a registry create registry keys', async () => {
  const { authorization } = system.user({ accountHolderId: 'a mere holder' });
  for (const body of ['{"expiresAt": "2099-01-01T00:00:00Z"}', '{}', 'nonsense']) {
    const headers = { authorization, 'content-type': 'application/json' };
    const request = { method: 'POST', path: '/account-portal/registry-keys', headers, body };
    expectProblem(await system.raw(request), 403, 'forbidden');
  }
});

test.each(['kind', 'status'])('a registry key cannot set the %s of an account holder', async (member) => {
  const { authorization } = system.registryKey();
  const headers = { authorization, 'content-type': 'application/json' };
  const address = { postalCode: '1', city: 'b', country: 'c', street1: 'd' };
  const content = { name: 'x', businessId: 'x', address, [member]: 'REGISTRY' };
  const created = await system.raw({
    method: 'POST',
    path: '/Registry/api/account-holders',
    headers,
    body: JSON.stringify(content),
  });
  expectProblem(created, 400, 'invalid-request');
  const changed = await system.raw({
    method: 'PATCH',
    path: '/Registry/api/account-holders/h1',
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ [member]: 'REGISTRY' }),
  });
  expectProblem(changed, 400, 'invalid-request');
});

test('missing values of users, keys and invitations are null', async () => {
  const read = async (operation: string): Promise<unknown> => JSON.parse((await system.call(operation)).text);
  const without = { id: 'i2', roles: ['EVENT_VIEWER'], createdOn: at, expiresAt: at, createdBy: 'u1' };
  system.rpcs.identity['GetMe'] = () => ({ userId: 'u1', issuer: 'https://id.example', subject: 'anna', roles: [] });
  system.rpcs.rbac['ListInvitations'] = () => ({ invitations: [{ ...without, status: 'PENDING' }] });
  expect(await read('getMe')).toMatchObject({ email: null, name: null, salesChannel: null, accountHolder: null });
  expect(await read('listChannelUsers')).toMatchObject([{ email: 'anna@id.example', lastSeenOn: null }]);
  expect(await read('listKeyDetails')).toMatchObject([
    { kind: 'API', name: 'Reporting job', lastUsedOn: at, madeWith: 'key0' },
    { kind: 'REGISTRY', name: null, lastUsedOn: null, madeWith: null },
  ]);
  expect(await read('listInvitations')).toMatchObject([{ email: null, acceptedBy: null }]);
});

test('a null name removes the name of a key', async () => {
  const requests: unknown[] = [];
  system.rpcs.identity['NameKey'] = (request) => {
    requests.push(request);
    return samples.keyDetail;
  };
  for (const name of ['Reporting job', null]) await system.call('nameKey', { body: { name } });
  expect(requests).toMatchObject([{ name: 'Reporting job' }, {}]);
  expect(requests[1]).not.toHaveProperty('name');
  expectProblem(await system.call('nameKey', { body: {} }), 400, 'invalid-request');
  expectProblem(await system.call('nameKey', { body: { name: '' } }), 400, 'invalid-request');
});

test('an API key is deleted without its descendants by default', async () => {
  const requests: unknown[] = [];
  system.rpcs.identity['DeleteApiKey'] = (request) => {
    requests.push(request);
    return samples.key;
  };
  for (const query of ['', 'descendants=false', 'descendants=true'])
    expect((await system.call('deleteApiKey', { query })).status).toBe(200);
  expect(requests).toMatchObject([{ descendants: false }, { descendants: false }, { descendants: true }]);
  for (const query of ['descendants=1', 'descendants', 'descendants=True', 'descendants=true&descendants=true'])
    expectProblem(await system.call('deleteApiKey', { query }), 400, 'invalid-request');
  expect(requests).toHaveLength(3);
});

test('without a portal an invitation has no URL', async () => {
  const { text } = await system.call('createInvitation');
  expect(JSON.parse(text)).toMatchObject({ token: 'scs_inv_x', url: null });
});

test.each(['https://portal.example', 'https://portal.example/', 'https://example.org/portal/'])(
  'with a portal at %s the token is in the fragment of the URL',
  async (portal) => {
    const other = await startSystem({ PORTAL_URL: portal });
    const { text } = await other.call('createInvitation');
    await other.stop();
    const { url } = JSON.parse(text) as { url: string };
    expect(url).toBe(`${portal.replace(/\/$/, '')}/invitation#scs_inv_x`);
    expect(new URL(url).hash).toBe('#scs_inv_x');
  },
);

test.each([
  [{ roles: [] }, '#/roles'],
  [{ roles: ['OWNER'] }, '#/roles/0'],
  [{ roles: ['EVENT_VIEWER'], email: 'anna' }, '#/email'],
  [{ roles: ['EVENT_VIEWER'], email: 'an\u202ena@example.org' }, '#/email'],
  [{ roles: ['EVENT_VIEWER'], email: 'anna@example.org\nBcc: x@example.org' }, '#/email'],
  [{ roles: ['EVENT_VIEWER'], salesChannelId: 'c2' }, '#/salesChannelId'],
])('rejects the invitation %j', async (body, pointer) => {
  const problem = expectProblem(await system.call('createInvitation', { body }), 400, 'invalid-request');
  expect(problem.errors).toContainEqual(expect.objectContaining({ pointer }));
});
