import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { DomainError } from '@saleschannel/errors';
import { newId, newSecret } from '@saleschannel/primitives';
import { callAs, failureOf } from '@saleschannel/testing';
import { decodeJwt, generateKeyPair } from 'jose';
import { movableClock, startHarness, type Harness } from './harness.ts';
import type { TokenChanges } from './issuer.ts';

const YEAR_MS = 366 * 86_400_000;
const clock = movableClock();
let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ clock });
});
afterAll(() => harness.stop());

const withToken = (bearerToken: string) => ({ surface: 'SALES_CHANNEL', bearerToken }) as const;
const withKey = (surface: 'SALES_CHANNEL' | 'REGISTRY', username: string, password: string) =>
  ({ surface, basic: { username, password } }) as const;

async function newUser(): Promise<string> {
  const user = await harness.admin.EnsureUser({ issuer: harness.issuer.issuer, subject: newId() });
  return user.id;
}

const inAYear = (): string => new Date(Date.now() + 300 * 86_400_000).toISOString();

describe('bearer tokens', () => {
  test('a user becomes known at his first token, and is the same at the next', async () => {
    const subject = newId();
    const first = await harness.authenticate(withToken(await harness.issuer.token(subject)));
    const second = await harness.authenticate(
      withToken(await harness.issuer.token(subject, { header: { typ: 'JWT' } })),
    );
    expect(first).toMatchObject({ kind: 'user', salesChannelId: undefined, roles: [], accountHolderId: undefined });
    expect(second).toEqual(first);
    const known = await harness.admin.EnsureUser({ issuer: harness.issuer.issuer, subject });
    expect(first).toMatchObject({ userId: known.id });
  });

  test('the principal holds the rights and the account holder of this moment', async () => {
    const subject = newId();
    const { id } = await harness.admin.EnsureUser({ issuer: harness.issuer.issuer, subject });
    const token = await harness.issuer.token(subject);
    harness.bindings.rights.set(id, { salesChannelId: 'c1', roles: ['ASSET_VIEWER'] });
    await harness.admin.SetAccountHolder({ userId: id, accountHolderId: 'holder-1' });
    expect(await harness.authenticate(withToken(token))).toEqual({
      kind: 'user',
      userId: id,
      salesChannelId: 'c1',
      roles: ['ASSET_VIEWER'],
      accountHolderId: 'holder-1',
    });
    harness.bindings.rights.delete(id);
    expect(await harness.authenticate(withToken(token))).toMatchObject({ salesChannelId: undefined, roles: [] });
  });

  test('the first tokens of a user, all at once, make one user', async () => {
    const subject = newId();
    const token = await harness.issuer.token(subject);
    const principals = await Promise.all(Array.from({ length: 12 }, () => harness.authenticate(withToken(token))));
    expect(new Set(principals.map((principal) => JSON.stringify(principal))).size).toBe(1);
  });

  test('a principal token never outlives the token behind it by more than the tolerance for clocks', async () => {
    const { principalToken } = await harness.gateway.Authenticate(
      withToken(await harness.issuer.token(newId(), { expiresIn: -3 })),
    );
    expect(decodeJwt(principalToken).exp).toBeLessThan(Date.now() / 1000 + 2.5);
  });

  const refused: [string, TokenChanges | (() => Promise<TokenChanges>), string?][] = [
    ['expired', { expiresIn: -10 }],
    ['without an end', { claims: { exp: undefined } }],
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['for another audience', { claims: { aud: 'other-api' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
    ['with an unknown key', { header: { kid: 'unknown' } }],
    ['signed by somebody else', async () => ({ key: (await generateKeyPair('ES256')).privateKey })],
    ['with a shared secret for a key', { header: { alg: 'HS256' }, key: new TextEncoder().encode('x'.repeat(32)) }],
    [
      'of an algorithm that is not configured',
      async () => ({ header: { alg: 'ES384' }, key: (await generateKeyPair('ES384')).privateKey }),
    ],
    ['of the kind id token', { header: { typ: 'id+jwt' } }],
    ['of the kind logout token', { header: { typ: 'logout+jwt' } }],
    ['with the nonce of an id token', { header: { typ: 'JWT' }, claims: { nonce: 'n' } }],
    ['with the at_hash of an id token', { header: { typ: 'JWT' }, claims: { at_hash: 'h' } }],
    ['that says it is an id token', { header: { typ: 'JWT' }, claims: { typ: 'ID' } }],
    ['that says it is a refresh token', { header: { typ: 'JWT' }, claims: { token_use: 'refresh' } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a NUL in its subject', { claims: { sub: 'a\u0000b' } }],
    ['with ill-formed text for a subject', { claims: { sub: 'a\ud800' } }],
    ['with a number for a subject', { claims: { sub: 7 as never } }],
    ['with a very long subject', { claims: { sub: 'x'.repeat(256) } }],
  ];
  test.each(refused)('a token %s is refused', async (_what, changes) => {
    const token = await harness.issuer.token(newId(), typeof changes === 'function' ? await changes() : changes);
    expect(await failureOf(harness.gateway.Authenticate(withToken(token)))).toMatchObject({ code: 'unauthenticated' });
  });

  test.each(['', 'a.b.c', 'x'.repeat(20_000), 'eyJhbGciOiJub25lIn0.e30.'])('"%.20s" is refused', async (token) => {
    expect(await failureOf(harness.gateway.Authenticate(withToken(token)))).toMatchObject({ code: 'unauthenticated' });
  });

  test('a token without a subject is refused', async () => {
    expect(
      await failureOf(harness.gateway.Authenticate(withToken(await harness.issuer.token(undefined)))),
    ).toMatchObject({ code: 'unauthenticated' });
  });

  test('a bearer token is worth nothing on the registry API', async () => {
    const bearerToken = await harness.issuer.token(newId());
    expect(await failureOf(harness.gateway.Authenticate({ surface: 'REGISTRY', bearerToken }))).toMatchObject({
      code: 'unauthenticated',
    });
  });
});

describe('API keys', () => {
  test('a key stands for its user, with his rights of this moment', async () => {
    const userId = await newUser();
    const { key, secret } = await harness.admin.IssueApiKey({ userId });
    const request = withKey('SALES_CHANNEL', key!.id, secret);
    expect(await harness.authenticate(request)).toMatchObject({
      kind: 'user',
      userId,
      salesChannelId: undefined,
      roles: [],
    });
    harness.bindings.rights.set(userId, { salesChannelId: 'c1', roles: ['EVENT_VIEWER'] });
    await harness.admin.SetAccountHolder({ userId, accountHolderId: 'holder-2' });
    const now = await harness.authenticate(request);
    expect(now).toMatchObject({ userId, salesChannelId: 'c1', roles: ['EVENT_VIEWER'], accountHolderId: 'holder-2' });
  });

  test('wrong, unknown, malformed, deleted and foreign keys all get the same answer', async () => {
    const userId = await newUser();
    const one = await harness.admin.IssueApiKey({ userId });
    const other = await harness.admin.IssueApiKey({ userId });
    const gone = await harness.admin.IssueApiKey({ userId });
    await harness.sql.query('delete from api_key where id = $1', [gone.key!.id]);
    const requests = [
      withKey('SALES_CHANNEL', one.key!.id, other.secret),
      withKey('SALES_CHANNEL', one.key!.id, newSecret('scs_key')),
      withKey('SALES_CHANNEL', one.key!.id, ''),
      withKey('SALES_CHANNEL', one.key!.id, `${one.secret}x`),
      withKey('SALES_CHANNEL', one.key!.id.toUpperCase(), one.secret),
      withKey('SALES_CHANNEL', newId(), one.secret),
      withKey('SALES_CHANNEL', `${one.key!.id}\u0000`, one.secret),
      withKey('SALES_CHANNEL', '', ''),
      withKey('SALES_CHANNEL', gone.key!.id, gone.secret),
      withKey('REGISTRY', one.key!.id, one.secret),
      { surface: 'SALES_CHANNEL' } as const,
      {},
      { surface: 'REGISTRY' } as const,
    ];
    const failures = await Promise.all(requests.map((request) => failureOf(harness.gateway.Authenticate(request))));
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['unauthenticated']));
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
    const byToken = await failureOf(harness.gateway.Authenticate(withToken('x')));
    expect(byToken.message).toBe(failures[0]!.message);
  });

  test('a key ends with its expiry', async () => {
    const { key, secret } = await harness.admin.IssueApiKey({ userId: await newUser() });
    const request = withKey('SALES_CHANNEL', key!.id, secret);
    try {
      clock.ahead(Date.parse(key!.expiresAt) - Date.now() - 60_000);
      await harness.gateway.Authenticate(request);
      clock.ahead(Date.parse(key!.expiresAt) - Date.now());
      expect(await failureOf(harness.gateway.Authenticate(request))).toMatchObject({ code: 'unauthenticated' });
    } finally {
      clock.ahead(0);
    }
  });

  test('a principal token never outlives the key', async () => {
    const { key, secret } = await harness.admin.IssueApiKey({ userId: await newUser() });
    try {
      clock.ahead(Date.parse(key!.expiresAt) - Date.now() - 1_000);
      const { principalToken } = await harness.gateway.Authenticate(withKey('SALES_CHANNEL', key!.id, secret));
      expect(decodeJwt(principalToken).exp).toBe(Date.parse(key!.expiresAt) / 1000);
    } finally {
      clock.ahead(0);
    }
  });

  test('only a hash under the pepper is stored', async () => {
    const { key, secret } = await harness.admin.IssueApiKey({ userId: await newUser() });
    const { rows } = await harness.sql.query<{ row: string; length: number }>(
      'select k::text as row, octet_length(secret_hash) as length from api_key k where id = $1',
      [key!.id],
    );
    expect(rows[0]!.length).toBe(32);
    expect(rows[0]!.row).not.toContain(secret.slice(8, 20));
  });
});

describe('registry keys', () => {
  test('a key stands for its account holder, on the registry API alone', async () => {
    const { key, secret } = await harness.admin.IssueRegistryKey({ accountHolderId: 'holder-3', expiresAt: inAYear() });
    const principal = await harness.authenticate(withKey('REGISTRY', key!.id, secret));
    expect(principal).toEqual({ kind: 'registry', keyId: key!.id, accountHolderId: 'holder-3' });
    expect(await failureOf(harness.gateway.Authenticate(withKey('SALES_CHANNEL', key!.id, secret)))).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('a key ends with its expiry', async () => {
    const { key, secret } = await harness.admin.IssueRegistryKey({ accountHolderId: 'holder-3', expiresAt: inAYear() });
    try {
      clock.ahead(YEAR_MS);
      expect(await failureOf(harness.gateway.Authenticate(withKey('REGISTRY', key!.id, secret)))).toMatchObject({
        code: 'unauthenticated',
      });
    } finally {
      clock.ahead(0);
    }
  });
});

describe('when something else is down', () => {
  const faults = ['unavailable', 'unauthenticated', 'forbidden', 'internal'] as const;
  test.each(faults)('rights that cannot be read (%s) are no fault of the credential', async (code) => {
    const userId = await newUser();
    const { key, secret } = await harness.admin.IssueApiKey({ userId });
    harness.bindings.rights.set(userId, new DomainError(code, 'a fault of the other service'));
    expect(await failureOf(harness.gateway.Authenticate(withKey('SALES_CHANNEL', key!.id, secret)))).toMatchObject({
      code: 'unavailable',
    });
  });

  test('a wrong key is refused also while the other service is down', async () => {
    const failure = await failureOf(
      harness.gateway.Authenticate(withKey('SALES_CHANNEL', newId(), newSecret('scs_key'))),
    );
    expect(failure).toMatchObject({ code: 'unauthenticated' });
  });
});

const others = ['traders', 'inventory', 'rbac', 'admin', 'registry-import', 'tasks', 'events', 'identity'] as const;
test.each(others)('%s may not authenticate users', async (caller) => {
  const client = await callAs(caller, services.identity, harness.service.address);
  expect(await failureOf(client.Authenticate(withToken('x')))).toMatchObject({ code: 'forbidden' });
  client.close();
});
