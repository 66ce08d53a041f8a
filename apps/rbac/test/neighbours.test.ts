import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { findUsers, userExists } from '../src/neighbours/users.ts';
import { contract } from './contracts/identity.ts';

/** What rbac makes of answers that say no more than its contract does. */

let providers: FakeProviders;
let identity: ServiceClient<'userDirectory'>;
beforeAll(async () => {
  providers = await startFakeProviders(contract);
  identity = await providers.client('userDirectory');
});
afterAll(() => providers.stop());

test('users are known from ids of nobody', async () => {
  expect(await userExists(identity, 'u1', providers.call)).toBe(true);
  expect(await userExists(identity, 'u3', providers.call)).toBe(false);
});

test('users are found with what their issuer says of them', async () => {
  const users = await findUsers(identity, ['u1', 'u2'], providers.call);
  expect(users.get('u1')).toMatchObject({ subject: 'anna', email: 'anna@id.example', emailVerified: true });
  expect(users.get('u2')).toMatchObject({ subject: 'berit' });
  expect(users.get('u2')?.email).toBeUndefined();
  expect((await findUsers(identity, ['u3'], providers.call)).size).toBe(0);
});
