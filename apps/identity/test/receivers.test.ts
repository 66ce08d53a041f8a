import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { principalReceivers } from '@saleschannel/auth';
import { newId } from '@saleschannel/primitives';
import { catchFailure, principalToken } from '@saleschannel/testing';
import { decodeJwt } from 'jose';
import { startIdentity, withToken, type Identity } from './support/identity.ts';

let identity: Identity;

beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const inAWeek = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString();

test('a principal token is for the gateway and the named receivers', async () => {
  const credential = withToken(await identity.issuer.token(newId()));
  const { principalToken: one } = await identity.gateway.Authenticate({ ...credential, receivers: ['tasks'] });
  expect(decodeJwt(one).aud).toEqual(['gateway', 'tasks']);
  const { principalToken: two } = await identity.gateway.Authenticate({
    ...credential,
    receivers: ['registry-import', 'inventory'],
  });
  expect(decodeJwt(two).aud).toEqual(['gateway', 'registry-import', 'inventory']);
});

test.each([
  [[]],
  [['everybody']],
  [['gateway']],
  [['admin']],
  [['tasks', '']],
  [Array(principalReceivers.length + 1).fill('tasks')],
])('the receivers %j are refused', async (receivers) => {
  const credential = withToken(await identity.issuer.token(newId()));
  expect(await catchFailure(identity.gateway.Authenticate({ ...credential, receivers }))).toMatchObject({
    code: 'invalid-request',
  });
});

test('a principal token for another service creates no keys', async () => {
  const userId = await identity.newUser();
  const user = { kind: 'user', userId, salesChannelId: 'c1', roles: [], accountHolderId: 'h1' } as const;
  const stolen = { principalToken: await principalToken(user, ['gateway', 'events']) };
  const own = { principalToken: await principalToken(user, ['gateway', 'identity']) };
  const request = { expiresAt: inAWeek() };
  expect(await catchFailure(identity.gateway.CreateApiKey({}, stolen))).toMatchObject({ code: 'unauthenticated' });
  expect(await catchFailure(identity.gateway.CreateRegistryKey(request, stolen))).toMatchObject({
    code: 'unauthenticated',
  });
  expect((await identity.gateway.ListApiKeys({}, own)).keys).toEqual([]);
  await identity.gateway.CreateApiKey({}, own);
});
