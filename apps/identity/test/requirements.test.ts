import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { startIdentity, withToken, type Identity } from './support/identity.ts';

let identity: Identity;

beforeAll(async () => {
  identity = await startIdentity({
    variables: { OIDC_REQUIRED_SCOPE: 'saleschannel  trade', OIDC_REQUIRED_ACR: 'urn:two-factor phr' },
  });
});
afterAll(() => identity.stop());

const good = { scope: 'openid trade saleschannel', acr: 'phr' };

test.each<Record<string, unknown>>([
  good,
  { ...good, acr: 'urn:two-factor' },
  { ...good, scope: undefined, scp: ['trade', 'saleschannel'] },
  { ...good, scope: undefined, scp: 'saleschannel trade' },
])('a token with %j is accepted', async (claims) => {
  const token = await identity.issuer.token(newId(), { claims });
  expect(await identity.authenticate(withToken(token))).toMatchObject({ kind: 'user' });
});

test.each<Record<string, unknown>>([
  { ...good, scope: undefined },
  { ...good, scope: '' },
  { ...good, scope: 'saleschannel' },
  { ...good, scope: 'saleschannel trades' },
  { ...good, scope: 7 },
  { ...good, acr: undefined },
  { ...good, acr: '' },
  { ...good, acr: 'urn:one-factor' },
  { ...good, acr: ['phr'] },
])('a token with %j is refused', async (claims) => {
  const token = await identity.issuer.token(newId(), { claims });
  expect(await catchFailure(identity.gateway.Authenticate(withToken(token)))).toMatchObject({
    code: 'unauthenticated',
  });
});
