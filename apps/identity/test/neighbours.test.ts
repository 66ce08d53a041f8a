import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@saleschannel/runtime';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { findRights, isWorkingRegistry } from '../src/neighbours/rights.ts';
import { contract as rbacContract } from './contracts/rbac.ts';
import { contract as registryImportContract } from './contracts/registry-import.ts';

/** Checks that identity needs nothing of a response beyond its contracts. */

let providers: FakeProviders;
beforeAll(async () => {
  providers = await startFakeProviders(rbacContract, registryImportContract);
});
afterAll(() => providers.stop());

test.each([
  ['u1', { salesChannelId: 'c1', roles: ['ASSET_VIEWER', 'EVENT_VIEWER'], isSuspended: undefined }],
  ['u2', { salesChannelId: 'c2', roles: [], isSuspended: true }],
  ['u3', { salesChannelId: undefined, roles: [] }],
])('the rights of %s', async (userId, rights) => {
  const context = { rbac: await providers.client('bindingDirectory'), logger: silentLogger };
  expect(await findRights(context, userId, providers.call)).toEqual(rights);
});

test('only an active account holder of the kind registry is a registry', async () => {
  const context = { accountHolders: await providers.client('accountHolderDirectory'), logger: silentLogger };
  const holders = ['h1', 'h2', 'h3', 'h4'];
  const are = await Promise.all(holders.map((holder) => isWorkingRegistry(context, holder, providers.call)));
  expect(are).toEqual([true, false, false, false]);
});
