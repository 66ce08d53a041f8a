import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readEnvironment } from '@saleschannel/runtime';
import { identityVariables } from '@saleschannel/testing';
import { environment } from '../src/environment.ts';

const variables = {
  ...identityVariables('identity'),
  DATABASE_URL: 'postgres://localhost/identity',
  AMQP_URL: 'amqp://localhost',
  RBAC_ADDRESS: 'localhost:1',
  REGISTRY_IMPORT_ADDRESS: 'localhost:2',
  OIDC_ISSUER: 'https://issuer.example',
  OIDC_AUDIENCE: 'a',
  API_KEY_PEPPER: randomBytes(32).toString('base64'),
};

test('the algorithms have a default', () => {
  expect(readEnvironment(environment, variables).OIDC_ALGORITHMS).toEqual(['ES256', 'RS256', 'EdDSA', 'PS256']);
});

test.each([
  [{ API_KEY_PEPPER: randomBytes(31).toString('base64') }, 'API_KEY_PEPPER must be at least 32'],
  [{ API_KEY_PEPPER: 'not base64 at all, however long this text may be, and it is long' }, 'API_KEY_PEPPER'],
  [{ OIDC_ALGORITHMS: 'ES256,HS256' }, 'OIDC_ALGORITHMS'],
  [{ OIDC_ALGORITHMS: 'none' }, 'OIDC_ALGORITHMS'],
  [{ OIDC_ISSUER: 'issuer' }, 'OIDC_ISSUER'],
])('%j is refused', (change, message) => {
  expect(() => readEnvironment(environment, { ...variables, ...change })).toThrow(message);
});
