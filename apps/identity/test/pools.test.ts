import { afterAll, beforeAll, test } from '@jest/globals';
import { smallestPools, proveOwnConnections } from '@saleschannel/testing';
import { startIdentity, withKey, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await startIdentity({ variables: smallestPools });
});
afterAll(() => identity.stop());

test('the probe is answered while calls occupy all of their connections', async () => {
  const user = await identity.newUser();
  identity.rights.set(user, { salesChannelId: 'channel', roles: ['ASSET_VIEWER'] });
  const { key, secret } = await identity.issueApiKey(user);
  await proveOwnConnections({
    service: identity.service,
    table: 'api_key',
    call: () => identity.authenticate(withKey(key, secret)),
  });
});
