import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually, catchFailure } from '@saleschannel/testing';
import { silentLogger } from '@saleschannel/runtime';
import { createBearerTokens, type BearerTokens } from '../src/credentials/bearer-tokens.ts';
import { createProviderKeys, type ProviderKeys } from '../src/credentials/provider-keys.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from './support/issuer.ts';

let issuer: TestIssuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.stop());

/** Clock of the key sets, in milliseconds. Tokens use the real one. */
let nowMs = 0;

function keysAndTokens(changes: { jwksUrl?: string; staleMs?: number } = {}): { keys: ProviderKeys } & BearerTokens {
  const keys = createProviderKeys({
    issuer: issuer.issuer,
    jwksUrl: undefined,
    staleMs: 86_400_000,
    now: () => nowMs,
    logger: silentLogger,
    ...changes,
  });
  const tokens = createBearerTokens({
    issuer: issuer.issuer,
    audience: AUDIENCE,
    algorithms: ['ES256'],
    scopes: [],
    acrs: [],
    keys,
    clock: { now: () => new Date() },
  });
  return { ...tokens, keys };
}
const bearerTokens = (changes: { jwksUrl?: string } = {}): BearerTokens => keysAndTokens(changes);

/** Longer than the minimum time between reads. */
const PAUSE_MS = 6_000;
const unavailable = { code: 'unavailable' };

test('the keys are found by discovery, and read once', async () => {
  const tokens = bearerTokens();
  await tokens.verify(await issuer.token(newId()));
  await tokens.verify(await issuer.token(newId()));
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys-by-discovery']);
});

test('keys of an issuer without discovery are at /jwks', async () => {
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
  expect(await catchFailure(bearerTokens().verify(await issuer.token(newId())))).toMatchObject({ code: 'unavailable' });
});

test('unreadable keys make the check unavailable, and are read when the issuer is back', async () => {
  const tokens = bearerTokens();
  const token = await issuer.token(newId());
  issuer.setReachable(false);
  expect(await catchFailure(tokens.verify(token))).toMatchObject({ code: 'unavailable' });
  issuer.setReachable(true);
  nowMs += PAUSE_MS;
  await eventually(() => tokens.verify(token).catch(() => undefined), 'the keys');
  issuer.setReachable(false);
  await tokens.verify(token);
});

test('keys of an issuer that starts late are read soon, but not for every token', async () => {
  const tokens = bearerTokens();
  const token = await issuer.token(newId());
  issuer.setReachable(false);
  for (let count = 0; count < 5; count += 1)
    expect(await catchFailure(tokens.verify(token))).toMatchObject(unavailable);
  expect(issuer.requests).toHaveLength(1);
  issuer.setReachable(true);
  nowMs += 1_000;
  await eventually(() => tokens.verify(token).catch(() => undefined), 'the keys');
});

test('an unreachable issuer makes the check unavailable', async () => {
  const token = await issuer.token(newId());
  const tokens = bearerTokens();
  await issuer.stop();
  expect(await catchFailure(tokens.verify(token))).toMatchObject({ code: 'unavailable' });
  issuer = await startIssuer();
});

test('a malformed token is refused without asking the issuer', async () => {
  issuer.setReachable(false);
  expect(await catchFailure(bearerTokens().verify('a.b.c'))).toMatchObject({ code: 'unauthenticated' });
  expect(issuer.requests).toEqual([]);
});

describe('unknown keys in tokens', () => {
  test('cause one read per interval, however many there are', async () => {
    const tokens = bearerTokens();
    await tokens.verify(await issuer.token(newId()));
    const before = issuer.requests.length;
    const forged = await issuer.token(newId(), { header: { kid: 'unknown' } });
    const refusals = () => Promise.all(Array.from({ length: 50 }, () => catchFailure(tokens.verify(forged))));
    nowMs += PAUSE_MS;
    for (let round = 0; round < 3; round += 1)
      for (const failure of await refusals()) expect(failure).toMatchObject({ code: 'unauthenticated' });
    expect(issuer.requests).toHaveLength(before + 1);
    nowMs += PAUSE_MS;
    await refusals();
    expect(issuer.requests).toHaveLength(before + 2);
  });

  test('do not delay valid tokens', async () => {
    const tokens = bearerTokens();
    const token = await issuer.token(newId());
    await tokens.verify(token);
    nowMs += PAUSE_MS;
    issuer.setSilent(true);
    const forged = catchFailure(tokens.verify(await issuer.token(newId(), { header: { kid: 'unknown' } })));
    await eventually(async () => issuer.waiting === 1, 'a request to the issuer');
    await tokens.verify(token);
    expect(issuer.waiting).toBe(1);
    issuer.setSilent(false);
    expect(await forged).toMatchObject({ code: 'unauthenticated' });
  });

  test('may be new keys', async () => {
    const tokens = bearerTokens();
    const old = await issuer.token(newId());
    await tokens.verify(old);
    await issuer.addKey();
    nowMs += PAUSE_MS;
    await tokens.verify(await issuer.token(newId()));
    await tokens.verify(old);
  });

  test('cannot be checked while the issuer is unreachable', async () => {
    const tokens = bearerTokens();
    await tokens.verify(await issuer.token(newId()));
    await issuer.addKey();
    issuer.setReachable(false);
    nowMs += PAUSE_MS;
    const token = await issuer.token(newId());
    expect(await catchFailure(tokens.verify(token))).toMatchObject(unavailable);
    issuer.setReachable(true);
    nowMs += PAUSE_MS;
    await eventually(() => tokens.verify(token).catch(() => undefined), 'the new key');
  });
});

describe('while the issuer is unreachable', () => {
  test('valid tokens are accepted for the configured time only', async () => {
    const { keys, verify } = keysAndTokens({ staleMs: 3_600_000 });
    const token = await issuer.token(newId());
    await verify(token);
    issuer.setReachable(false);
    for (const seconds of [680, 3_599]) {
      nowMs += seconds * 1_000 - keys.ageSeconds() * 1_000;
      await verify(token);
    }
    nowMs += 2_000;
    expect(await catchFailure(verify(token))).toMatchObject(unavailable);
  });

  test('requests do not wait for it repeatedly', async () => {
    const tokens = bearerTokens();
    const token = await issuer.token(newId());
    issuer.setReachable(false);
    expect(await catchFailure(tokens.verify(token))).toMatchObject(unavailable);
    issuer.setSilent(true);
    nowMs += PAUSE_MS;
    for (let index = 0; index < 20; index += 1)
      expect(await catchFailure(tokens.verify(token))).toMatchObject(unavailable);
    await eventually(async () => issuer.waiting === 1, 'one request to the issuer');
    issuer.setSilent(false);
  });

  test('a response without keys does not replace the known keys', async () => {
    const tokens = bearerTokens();
    const token = await issuer.token(newId());
    await tokens.verify(token);
    issuer.withdrawKeys();
    const before = issuer.requests.length;
    nowMs += 400_000;
    await tokens.verify(token);
    await eventually(async () => issuer.requests.length > before, 'the refreshed keys');
    await tokens.verify(token);
  });
});

test('the running part reads keys at the start and refreshes them without a token', async () => {
  const { keys } = keysAndTokens({ jwksUrl: `${issuer.issuer}/jwks` });
  issuer.setReachable(false);
  await keys.start();
  await eventually(async () => issuer.requests.length === 1, 'the first try');
  issuer.setReachable(true);
  nowMs += PAUSE_MS;
  await eventually(async () => keys.ageSeconds() === 0, 'the second try');
  nowMs += 299_000;
  expect(keys.ageSeconds()).toBe(299);
  nowMs += 1_000;
  await eventually(async () => keys.ageSeconds() === 0, 'the refreshed keys');
  await keys.stop();
});
