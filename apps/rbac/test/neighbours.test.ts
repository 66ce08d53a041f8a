import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { catchFailure, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { refuseUsed } from '../src/neighbours/channel-use.ts';
import { findUsers, userExists } from '../src/neighbours/users.ts';
import { contract } from './contracts/identity.ts';
import { contract as inventoryContract } from './contracts/inventory.ts';
import { contract as tasksContract } from './contracts/tasks.ts';

/** Checks that rbac needs nothing of a response beyond its contracts. */

let providers: FakeProviders;
let identity: ServiceClient<'userDirectory'>;
beforeAll(async () => {
  providers = await startFakeProviders(contract, tasksContract, inventoryContract);
  identity = await providers.client('userDirectory');
});
afterAll(() => providers.stop());

test('finds known users and omits unknown ids', async () => {
  expect(await userExists(identity, 'u1', providers.call)).toBe(true);
  expect(await userExists(identity, 'u3', providers.call)).toBe(false);
});

test('users are found with their claims', async () => {
  const users = await findUsers(identity, ['u1', 'u2'], providers.call);
  expect(users.get('u1')).toMatchObject({ subject: 'anna', email: 'anna@id.example', emailVerified: true });
  expect(users.get('u2')).toMatchObject({ subject: 'berit' });
  expect(users.get('u2')?.email).toBeUndefined();
  expect((await findUsers(identity, ['u3'], providers.call)).size).toBe(0);
});

test('a channel in use is refused, an unused one is not', async () => {
  const neighbours = {
    tasks: await providers.client('channelTasks'),
    inventory: await providers.client('channelUse'),
  };
  const { violations } = await catchFailure(refuseUsed(neighbours, 'c1', providers.call));
  expect(violations?.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
    'sales-channel-in-use: 1 task is pending. Wait for its end.',
    'sales-channel-in-use: 1 transaction is pending. Have it approved or rejected first.',
    'sales-channel-in-use: 1 certificate bundle is reserved. Have its transaction decided first.',
    'sales-channel-in-use: 1 certificate bundle is listed. Have it offramped or retired first.',
  ]);
  await refuseUsed(neighbours, 'c2', providers.call);
});
