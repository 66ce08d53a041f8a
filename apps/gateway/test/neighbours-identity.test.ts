import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHeadReader } from '../src/authentication/revocation-watch.ts';
import { contract as identityContract } from './contracts/identity.ts';
import { contract as inventoryContract } from './contracts/inventory.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';
import { contract as tradersContract } from './contracts/traders.ts';
import { contract as webhooksContract } from './contracts/webhooks.ts';
import { startWithProviders, selectTrail, type ContractedSystem } from './support/system.ts';

/** The gateway against providers that return the minimum of its contracts with identity and the audit trails. */

let system: ContractedSystem;
beforeAll(async () => {
  const others = [rbacContract, tradersContract, inventoryContract, registryImportContract, webhooksContract];
  system = await startWithProviders(identityContract, ...others.map(selectTrail));
});
afterAll(() => system.stop());

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const user = { as: 'Bearer token-1' };
const registry = { as: basic('k2', 'secret-2') };

describe('a credential', () => {
  test('has the principal of identity, or none', async () => {
    const seen = { userId: 'u1', salesChannel: { id: 'c1' }, accountHolder: { id: 'h1', kind: 'REGISTRY' } };
    expect(await system.read('getMe', user)).toMatchObject(seen);
    const unknown = { as: basic('k3', 'secret-3') };
    expect(await system.statusOf('getMe', unknown)).toBe(401);
  });

  test('may be an API key or a registry key', async () => {
    const key = { as: basic('k1', 'secret-1') };
    expect(await system.statusOf('listAuditEvents', key)).toBe(200);
    // Their token has no account holder.
    expect(await system.statusOf('listRegistryKeys', key)).toBe(403);
    expect(await system.statusOf('listRegistryAuditEvents', registry)).toBe(200);
  });
});

test('users list, create and delete API keys', async () => {
  expect(await system.read('listOwnApiKeys', user)).toMatchObject([{ id: 'k4' }]);
  const created = (await system.read('createApiKey', user)) as object;
  expect(Object.values(created)).toEqual(expect.arrayContaining(['k9', 'secret']));
  expect(await system.read('deleteApiKey', { ...user, path: { apiKeyId: 'k4' } })).toMatchObject({ id: 'k4' });
  expect(await system.statusOf('deleteApiKey', { ...user, path: { apiKeyId: 'k1' } })).toBe(404);
});

test('users of a registry list, create and delete registry keys', async () => {
  expect(await system.read('listRegistryKeys', user)).toMatchObject([{ id: 'k5', accountHolderId: 'h1' }]);
  const body = { expiresAt: '2125-03-04T10:02:11.318Z' };
  expect(await system.read('createRegistryKey', { ...user, body })).toMatchObject({ id: 'k9', secret: 'secret' });
  const path = { registryKeyId: 'k5' };
  expect(await system.read('deleteRegistryKey', { ...user, path })).toMatchObject({ id: 'k5' });
});

test('users list and end their sessions', async () => {
  expect(await system.read('listOwnSessions', user)).toMatchObject([{ id: 's1', client: 'portal', current: true }]);
  const path = { sessionId: 's1' };
  expect(await system.read('endOwnSession', { ...user, path })).toMatchObject({ id: 's1', current: true });
  expect(await system.statusOf('endOwnSession', { ...user, path: { sessionId: 's2' } })).toBe(404);
  expect(await system.read('endOwnSessions', { ...user, query: 'others=true' })).toEqual([]);
});

test('keys have names', async () => {
  expect(await system.read('listKeyDetails', user)).toMatchObject([
    { id: 'k4', kind: 'API', name: null },
    { id: 'k5', kind: 'REGISTRY' },
  ]);
  const named = { ...user, path: { keyId: 'k4' }, body: { name: 'Reporting' } };
  expect(await system.read('nameKey', named)).toMatchObject({ id: 'k4', name: 'Reporting' });
});

test('a user is introduced', async () => {
  const body = { issuer: 'https://id.example', subject: 'berit' };
  expect(await system.read('ensureUser', { ...user, body })).toEqual({ userId: 'u9' });
});

test('audit events of all services are listed', async () => {
  expect(await system.read('listAuditEvents', user)).toMatchObject({ pagination: { total: 5 } });
  expect(await system.read('listRegistryAuditEvents', registry)).toMatchObject({ pagination: { total: 4 } });
  const byNobody = { ...user, query: 'order=desc&action=rbac.role.granted&actor=nobody' };
  expect(await system.read('listAuditEvents', byNobody)).toMatchObject({ pagination: { total: 0 }, data: [] });
  const { text } = await system.call('listAuditEvents', { ...user, headers: { Accept: 'text/csv' } });
  expect(text.trimEnd().split('\r\n')).toHaveLength(6);
});

test('identity and rbac return their audit heads', async () => {
  // The gateway also polls by itself.
  const services = ['identity', 'rbac'] as const;
  const trails = await Promise.all(
    services.map((name, index) => system.providers[index]?.client('auditLog', name) ?? Promise.reject(new Error(name))),
  );
  const expected = { heads: new Map([['c1', '1']]), installation: '0' };
  expect(await createHeadReader(trails)(['c1'])).toEqual([expected, expected]);
});
