import { randomBytes } from 'node:crypto';
import { expect, test, afterAll, beforeAll } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { readEnvironment } from '@saleschannel/runtime';
import { identityVariables, catchFailure } from '@saleschannel/testing';
import { environment } from '../src/environment.ts';
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

const variables = {
  ...identityVariables('identity'),
  DATABASE_URL: 'postgres://localhost/identity',
  AMQP_URL: 'amqp://localhost',
  RBAC_ADDRESS: 'localhost:1',
  REGISTRY_IMPORT_ADDRESS: 'localhost:2',
  OIDC_ISSUER: 'https://issuer.example',
  OIDC_AUDIENCE: 'a',
  API_KEY_PEPPER: randomBytes(32).toString('base64'),
  ANSWER_KEYS: randomBytes(32).toString('base64url'),
};

test('the algorithms have a default', () => {
  expect(readEnvironment(environment, variables).OIDC_ALGORITHMS).toEqual(['ES256', 'RS256', 'EdDSA', 'PS256']);
});

const pepper = randomBytes(32);
const encoded = pepper.toString('base64');
const longer = randomBytes(48);

test('a single pepper is version 1', () => {
  const { current, byVersion } = readEnvironment(environment, { ...variables, API_KEY_PEPPER: encoded }).API_KEY_PEPPER;
  expect(current).toEqual({ version: 1, key: pepper });
  expect([...byVersion.keys()]).toEqual([1]);
});

test('the first of several peppers is current', () => {
  const text = `12:${longer.toString('base64')}, 3:${encoded}`;
  const { current, byVersion } = readEnvironment(environment, { ...variables, API_KEY_PEPPER: text }).API_KEY_PEPPER;
  expect(current).toEqual({ version: 12, key: longer });
  expect(byVersion.get(3)).toEqual({ version: 3, key: pepper });
  expect(byVersion.size).toBe(2);
});

test.each([
  `1:${encoded},1:${encoded}`,
  `${encoded},${encoded}`,
  `0:${encoded}`,
  `32768:${encoded}`,
  `x:${encoded}`,
  `:${encoded}`,
  `1:${encoded},`,
  `1:${encoded},2:c2hvcnQ=`,
])('invalid peppers are refused without showing them: %#', (text) => {
  const read = () => readEnvironment(environment, { ...variables, API_KEY_PEPPER: text });
  expect(read).toThrow('API_KEY_PEPPER must be at least 32');
  expect(read).not.toThrow(encoded);
});

test.each([
  [{ OIDC_KEYS_STALE_SECONDS: '60' }, 'OIDC_KEYS_STALE_SECONDS'],
  [{ API_KEY_PEPPER: randomBytes(31).toString('base64') }, 'API_KEY_PEPPER must be at least 32'],
  [{ API_KEY_PEPPER: 'not base64 at all, however long this text may be, and it is long' }, 'API_KEY_PEPPER'],
  [{ OIDC_ALGORITHMS: 'ES256,HS256' }, 'OIDC_ALGORITHMS'],
  [{ OIDC_ALGORITHMS: 'none' }, 'OIDC_ALGORITHMS'],
  [{ OIDC_ISSUER: 'issuer' }, 'OIDC_ISSUER'],
])('%j is refused', (change, message) => {
  expect(() => readEnvironment(environment, { ...variables, ...change })).toThrow(message);
});
