import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectProblem } from './support/promised.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

test('who one is says how the channel and the account holder stand, and not why', async () => {
  const answer = await system.call('getMe');
  expect(JSON.parse(answer.text)).toEqual({
    userId: 'u1',
    issuer: 'https://id.example',
    subject: 'anna',
    salesChannel: { id: 'c1', name: 'Nordic', status: 'SUSPENDED' },
    roles: ['EVENT_VIEWER'],
    accountHolder: { id: 'h1', name: 'Havkalk', kind: 'HOLDER', status: 'ACTIVE' },
  });
});

test('a user of an account holder that is no registry makes no registry key, whatever the body says', async () => {
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
