import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { newId, newSecret } from '@saleschannel/primitives';
import { callAs, catchFailure } from '@saleschannel/testing';
import { decodeJwt, generateKeyPair } from 'jose';
import { testClock, startIdentity, withKey, withRegistryKey, withToken, type Identity } from './support/identity.ts';
import type { TokenChanges } from './support/issuer.ts';

const clock = testClock();
let identity: Identity;

beforeAll(async () => {
  identity = await startIdentity({ clock });
});
afterEach(() => clock.resume());
afterAll(() => identity.stop());

const inAYear = (): string => new Date(Date.now() + 300 * 86_400_000).toISOString();

describe('bearer tokens', () => {
  test('the first token creates a user, and the next finds them', async () => {
    const subject = newId();
    const first = await identity.authenticate(withToken(await identity.issuer.token(subject)));
    const second = await identity.authenticate(
      withToken(await identity.issuer.token(subject, { header: { typ: 'JWT' } })),
    );
    expect(first).toMatchObject({ kind: 'user', salesChannelId: undefined, roles: [], accountHolderId: undefined });
    expect(second).toEqual(first);
    const known = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject });
    expect(first).toMatchObject({ userId: known.id });
  });

  test('the principal has the current rights and account holder', async () => {
    const subject = newId();
    const { id } = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject });
    const token = await identity.issuer.token(subject);
    identity.rights.set(id, { salesChannelId: 'c1', roles: ['ASSET_VIEWER'] });
    await identity.admin.SetAccountHolder({ userId: id, accountHolderId: 'holder-1' });
    expect(await identity.authenticate(withToken(token))).toEqual({
      isRegistry: true,
      kind: 'user',
      userId: id,
      salesChannelId: 'c1',
      roles: ['ASSET_VIEWER'],
      accountHolderId: 'holder-1',
    });
    identity.rights.delete(id);
    expect(await identity.authenticate(withToken(token))).toMatchObject({ salesChannelId: undefined, roles: [] });
  });

  test('concurrent first tokens create one user', async () => {
    const subject = newId();
    const token = await identity.issuer.token(subject);
    const principals = await Promise.all(Array.from({ length: 12 }, () => identity.authenticate(withToken(token))));
    expect(new Set(principals.map((principal) => JSON.stringify(principal))).size).toBe(1);
  });

  test('a principal token outlives its access token by at most the clock tolerance', async () => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    clock.stopAt(nowSeconds * 1000);
    // Expired 3 s ago, within the tolerance of 5 s.
    const token = await identity.issuer.token(newId(), { claims: { exp: nowSeconds - 3 } });
    const { principalToken } = await identity.gateway.Authenticate(withToken(token));
    expect(decodeJwt(principalToken).exp).toBe(nowSeconds + 2);
  });

  const refused: [string, TokenChanges | (() => Promise<TokenChanges>)][] = [
    ['expired', { expiresIn: -10 }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['for another audience', { claims: { aud: 'other-api' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
    ['with an unknown key', { header: { kid: 'unknown' } }],
    ['signed with another key', async () => ({ key: (await generateKeyPair('ES256')).privateKey })],
    ['signed with a shared secret', { header: { alg: 'HS256' }, key: new TextEncoder().encode('x'.repeat(32)) }],
    [
      'of an algorithm that is not configured',
      async () => ({ header: { alg: 'ES384' }, key: (await generateKeyPair('ES384')).privateKey }),
    ],
    ['of the kind id token', { header: { typ: 'id+jwt' } }],
    ['of the kind logout token', { header: { typ: 'logout+jwt' } }],
    ['with the nonce of an id token', { header: { typ: 'JWT' }, claims: { nonce: 'n' } }],
    ['with the at_hash of an id token', { header: { typ: 'JWT' }, claims: { at_hash: 'h' } }],
    ['whose claim says id token', { header: { typ: 'JWT' }, claims: { typ: 'ID' } }],
    ['whose claim says refresh token', { header: { typ: 'JWT' }, claims: { token_use: 'refresh' } }],
    ['with an expiry beyond all dates', { claims: { exp: 1e308 } }],
    ['with an expiry beyond the year 9999', { claims: { exp: 253_402_300_800 } }],
    ['with a start beyond all dates', { claims: { nbf: 1e308 } }],
    ['with a start before all dates', { claims: { nbf: -1e308 } }],
    ['issued at an impossible time', { claims: { iat: 1e308 } }],
    ['with a text as expiry', { claims: { exp: '9999999999' } }],
    ['bound to a certificate', { claims: { cnf: { 'x5t#S256': 'A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0' } } }],
    ['bound to a key', { claims: { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } } }],
    ['bound to something unknown', { claims: { cnf: null } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a NUL in its subject', { claims: { sub: 'a\u0000b' } }],
    ['with an ill-formed subject', { claims: { sub: 'a\ud800' } }],
    ['with a number as subject', { claims: { sub: 7 } }],
    ['with a very long subject', { claims: { sub: 'x'.repeat(256) } }],
  ];
  test.each(refused)('a token %s is refused', async (_what, changes) => {
    const token = await identity.issuer.token(newId(), typeof changes === 'function' ? await changes() : changes);
    expect(await catchFailure(identity.gateway.Authenticate(withToken(token)))).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test.each(['', 'a.b.c', 'x'.repeat(20_000), 'eyJhbGciOiJub25lIn0.e30.'])('"%.20s" is refused', async (token) => {
    expect(await catchFailure(identity.gateway.Authenticate(withToken(token)))).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('a token without a subject is refused', async () => {
    expect(
      await catchFailure(identity.gateway.Authenticate(withToken(await identity.issuer.token(undefined)))),
    ).toMatchObject({ code: 'unauthenticated' });
  });

  test('a bearer token is refused on the registry API', async () => {
    const bearerToken = await identity.issuer.token(newId());
    expect(
      await catchFailure(
        identity.gateway.Authenticate({ surface: 'SURFACE_REGISTRY', receivers: ['events'], bearerToken }),
      ),
    ).toMatchObject({
      code: 'unauthenticated',
    });
  });
});

describe('API keys', () => {
  test('a key authenticates its user with the current rights', async () => {
    const userId = await identity.newUser();
    const { key, secret } = await identity.issueApiKey(userId);
    const request = withKey(key, secret);
    expect(await identity.authenticate(request)).toMatchObject({
      kind: 'user',
      userId,
      salesChannelId: undefined,
      roles: [],
    });
    identity.rights.set(userId, { salesChannelId: 'c1', roles: ['EVENT_VIEWER'] });
    await identity.admin.SetAccountHolder({ userId, accountHolderId: 'holder-2' });
    const now = await identity.authenticate(request);
    expect(now).toMatchObject({ userId, salesChannelId: 'c1', roles: ['EVENT_VIEWER'], accountHolderId: 'holder-2' });
  });

  test('wrong, unknown, malformed, deleted and foreign keys all get the same answer', async () => {
    const userId = await identity.newUser();
    const one = await identity.issueApiKey(userId);
    const other = await identity.issueApiKey(userId);
    const gone = await identity.issueApiKey(userId);
    await identity.service.sql('delete from api_key where id = $1', [gone.key.id]);
    const requests = [
      withKey(one.key, other.secret),
      withKey(one.key, newSecret('scs_key')),
      withKey(one.key, ''),
      withKey(one.key, `${one.secret}x`),
      withKey({ id: one.key.id.toUpperCase() }, one.secret),
      withKey({ id: newId() }, one.secret),
      withKey({ id: `${one.key.id}\u0000` }, one.secret),
      withKey({ id: '' }, ''),
      withKey(gone.key, gone.secret),
      withRegistryKey(one.key, one.secret),
      { surface: 'SURFACE_SALES_CHANNEL' } as const,
      { surface: 'SURFACE_REGISTRY' } as const,
      {},
      { key: { keyId: one.key.id, secret: one.secret } },
      { surface: 'SURFACE_UNSPECIFIED', key: { keyId: one.key.id, secret: one.secret } } as const,
    ];
    const failures = await Promise.all(
      requests.map((request) => catchFailure(identity.gateway.Authenticate({ receivers: ['events'], ...request }))),
    );
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['unauthenticated']));
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
    const byToken = await catchFailure(identity.gateway.Authenticate(withToken('x')));
    expect(byToken.message).toBe(failures[0]?.message);
  });

  test('an expired key is refused', async () => {
    const { key, secret } = await identity.issueApiKey(await identity.newUser());
    const request = withKey(key, secret);
    clock.stopAt(Date.parse(key.expiresAt) - 1);
    await identity.gateway.Authenticate(request);
    clock.stopAt(key.expiresAt);
    expect(await catchFailure(identity.gateway.Authenticate(request))).toMatchObject({ code: 'unauthenticated' });
  });

  test('a principal token never outlives the key', async () => {
    const { key, secret } = await identity.issueApiKey(await identity.newUser());
    clock.stopAt(Date.parse(key.expiresAt) - 1_000);
    const { principalToken } = await identity.gateway.Authenticate(withKey(key, secret));
    expect(decodeJwt(principalToken).exp).toBe(Date.parse(key.expiresAt) / 1000);
  });

  test('only a hash under the pepper is stored', async () => {
    const { key, secret } = await identity.issueApiKey(await identity.newUser());
    const [row] = await identity.service.sql<{ text: string; length: number }>(
      'select k::text as text, octet_length(secret_hash) as length from api_key k where id = $1',
      [key.id],
    );
    expect(row?.length).toBe(32);
    expect(row?.text).not.toContain(secret.slice(8, 20));
  });
});

describe('registry keys', () => {
  test('a key authenticates its account holder on the registry API only', async () => {
    const { key, secret } = await identity.issueRegistryKey('holder-3', inAYear());
    const principal = await identity.authenticate(withRegistryKey(key, secret));
    expect(principal).toEqual({ kind: 'registry', keyId: key.id, accountHolderId: 'holder-3' });
    expect(await catchFailure(identity.gateway.Authenticate(withKey(key, secret)))).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('an expired key is refused', async () => {
    const { key, secret } = await identity.issueRegistryKey('holder-3', inAYear());
    const request = withRegistryKey(key, secret);
    clock.stopAt(Date.parse(key.expiresAt) - 1);
    await identity.gateway.Authenticate(request);
    clock.stopAt(key.expiresAt);
    expect(await catchFailure(identity.gateway.Authenticate(request))).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('when another service is down', () => {
  const faults = ['unavailable', 'unauthenticated', 'forbidden', 'internal'] as const;
  test.each(faults)('unreadable rights (%s) make the check unavailable', async (code) => {
    const userId = await identity.newUser();
    const { key, secret } = await identity.issueApiKey(userId);
    identity.rights.set(userId, new DomainError(code, 'a fault of the other service'));
    expect(await catchFailure(identity.gateway.Authenticate(withKey(key, secret)))).toMatchObject({
      code: 'unavailable',
    });
  });

  test('a wrong key is refused even while the other service is down', async () => {
    const userId = await identity.newUser();
    const { key } = await identity.issueApiKey(userId);
    identity.rights.set(userId, new DomainError('unavailable', 'a fault of the other service'));
    const failure = await catchFailure(identity.gateway.Authenticate(withKey(key, newSecret('scs_key'))));
    expect(failure).toMatchObject({ code: 'unauthenticated' });
  });
});

const others = ['traders', 'inventory', 'rbac', 'admin', 'registry-import', 'tasks', 'events', 'identity'] as const;
test.each(others)('%s may not authenticate users', async (caller) => {
  const client = await callAs(caller, 'identity', identity.service.address);
  expect(await catchFailure(client.Authenticate(withToken('x')))).toMatchObject({ code: 'forbidden' });
  client.close();
});
