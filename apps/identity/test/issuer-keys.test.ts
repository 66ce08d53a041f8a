import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { failureOf } from '@saleschannel/testing';
import { silentLogger } from '@saleschannel/runtime';
import { createBearerTokens, type BearerTokens } from '../src/credentials/bearer-tokens.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from './support/issuer.ts';

let issuer: TestIssuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.stop());

const bearerTokens = (changes: { issuer?: string; jwksUrl?: string } = {}): BearerTokens =>
  createBearerTokens({
    issuer: issuer.issuer,
    audience: AUDIENCE,
    jwksUrl: undefined,
    algorithms: ['ES256'],
    clock: { now: () => new Date() },
    logger: silentLogger,
    ...changes,
  });

test('the keys are found by discovery, and read once', async () => {
  const tokens = bearerTokens();
  await tokens.verify(await issuer.token(newId()));
  await tokens.verify(await issuer.token(newId()));
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys-by-discovery']);
});

test('an issuer without discovery is asked at /jwks', async () => {
  issuer.setDiscovery('none');
  await bearerTokens().verify(await issuer.token(newId()));
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
});

test('a configured address needs no discovery', async () => {
  await bearerTokens({ jwksUrl: `${issuer.issuer}/jwks` }).verify(await issuer.token(newId()));
  expect(issuer.requests).toEqual(['/jwks']);
});

test('the discovery document of another issuer is not trusted', async () => {
  issuer.setDiscovery('of another issuer');
  expect(await failureOf(bearerTokens().verify(await issuer.token(newId())))).toMatchObject({ code: 'unavailable' });
});

test('keys that cannot be read are no fault of the token, and are read when the issuer is back', async () => {
  const tokens = bearerTokens();
  const token = await issuer.token(newId());
  issuer.setReachable(false);
  expect(await failureOf(tokens.verify(token))).toMatchObject({ code: 'unavailable' });
  issuer.setReachable(true);
  await tokens.verify(token);
  issuer.setReachable(false);
  await tokens.verify(token);
});

test('an issuer that does not listen is no fault of the token', async () => {
  const token = await issuer.token(newId());
  const tokens = bearerTokens();
  await issuer.stop();
  expect(await failureOf(tokens.verify(token))).toMatchObject({ code: 'unavailable' });
  issuer = await startIssuer();
});

test('a token that is malformed is refused without asking the issuer', async () => {
  issuer.setReachable(false);
  expect(await failureOf(bearerTokens().verify('a.b.c'))).toMatchObject({ code: 'unauthenticated' });
  expect(issuer.requests).toEqual([]);
});

test('unknown keys in tokens do not make every request ask the issuer', async () => {
  const tokens = bearerTokens();
  await tokens.verify(await issuer.token(newId()));
  const before = issuer.requests.length;
  const forged = await issuer.token(newId(), { header: { kid: 'unknown' } });
  for (let index = 0; index < 5; index++)
    expect(await failureOf(tokens.verify(forged))).toMatchObject({ code: 'unauthenticated' });
  // Once again after a pause of 5 s, if the machine makes one.
  expect(issuer.requests.length).toBeLessThanOrEqual(before + 1);
});
