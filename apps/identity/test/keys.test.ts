import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isWellFormedSecret, newId, addCalendarYear } from '@saleschannel/primitives';
import {
  asRegistry,
  asUser,
  callAs,
  eventually,
  catchFailure,
  startListener,
  type TestListener,
} from '@saleschannel/testing';
import { MAX_ACTIVE_KEYS } from '../src/domain/credentials.ts';
import { testClock, startIdentity, withKey, withRegistryKey, type Identity } from './support/identity.ts';

const DAY_MS = 86_400_000;
const clock = testClock();
let identity: Identity;
let listener: TestListener<'identity.key.deleted.v1'>;

beforeAll(async () => {
  identity = await startIdentity({ clock });
  listener = await startListener(identity.namespace, ['identity.key.deleted.v1']);
});
afterEach(() => clock.resume());
afterAll(async () => {
  await listener.stop();
  await identity.stop();
});

/** Adds a user to the account holder, and returns their call options. */
async function as(userId: string, accountHolderId?: string) {
  if (accountHolderId !== undefined) await identity.admin.SetAccountHolder({ userId, accountHolderId });
  return asUser(undefined, [], userId, accountHolderId, { isRegistry: accountHolderId !== undefined });
}
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Reports whether the deletion of a key was announced. */
const wasDeleted = (keyId: string): boolean => listener.entries.some(({ event }) => event.keyId === keyId);

async function fillKeys(userId: string, keys: number): Promise<void> {
  await identity.service.sql(
    `insert into api_key (id, user_id, secret_hash, created_at, expires_at)
     select 'full-' || $1::text || n, $1, sha256(n::text::bytea), now(), now() + interval '1 year'
     from generate_series(1, $2::int) n`,
    [userId, keys],
  );
}

describe('API keys', () => {
  test('a created key is valid for one calendar year, and listed without its secret', async () => {
    const userId = await identity.newUser();
    const { key, secret } = await identity.createApiKey(await as(userId));
    expect(isWellFormedSecret(secret, 'scs_key')).toBe(true);
    expect(key.expiresAt).toBe(addCalendarYear(new Date(key.createdOn)).toISOString());
    const second = await identity.createApiKey(await as(userId));
    const { keys } = await identity.gateway.ListApiKeys({}, await as(userId));
    expect(keys).toEqual([key, second.key]);
    const principal = await identity.authenticate(withKey(key, secret));
    expect(principal).toMatchObject({ kind: 'user', userId });
  });

  test('expired keys stay listed until they are deleted', async () => {
    const userId = await identity.newUser();
    const { key } = await identity.createApiKey(await as(userId));
    clock.stopAt(key.expiresAt);
    expect((await identity.gateway.ListApiKeys({}, await as(userId))).keys).toEqual([key]);
  });

  test('a key is deleted once, refused afterwards, and the deletion announced', async () => {
    const userId = await identity.newUser();
    const { key, secret } = await identity.createApiKey(await as(userId));
    expect(await identity.gateway.DeleteApiKey({ id: key.id }, await as(userId))).toEqual(key);
    expect(await catchFailure(identity.gateway.Authenticate(withKey(key, secret)))).toMatchObject({
      code: 'unauthenticated',
    });
    expect(await catchFailure(identity.gateway.DeleteApiKey({ id: key.id }, await as(userId)))).toMatchObject({
      code: 'not-found',
    });
    expect((await identity.gateway.ListApiKeys({}, await as(userId))).keys).toEqual([]);
    await eventually(async () => wasDeleted(key.id), 'the broadcast of the deletion');
  });

  test("another user's key and a registry key are not found, and stay", async () => {
    const owner = await identity.newUser();
    const { key } = await identity.createApiKey(await as(owner));
    const registry = await identity.issueRegistryKey('h1', ahead(DAY_MS));
    const stranger = await identity.newUser();
    const failures = [];
    for (const id of [key.id, registry.key.id, newId(), '', 'x\u0000']) {
      failures.push(await catchFailure(identity.gateway.DeleteApiKey({ id }, await as(stranger, 'h1'))));
    }
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect((await identity.gateway.ListApiKeys({}, await as(owner))).keys).toEqual([key]);
    expect((await identity.gateway.ListApiKeys({}, await as(stranger))).keys).toEqual([]);
  });

  test('one of many concurrent deletions finds the key', async () => {
    const userId = await identity.newUser();
    const { key } = await identity.createApiKey(await as(userId));
    const options = await as(userId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => identity.gateway.DeleteApiKey({ id: key.id }, options)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('concurrent creations respect the limit of keys', async () => {
    const userId = await identity.newUser();
    const { key } = await identity.createApiKey(await as(userId));
    await fillKeys(userId, MAX_ACTIVE_KEYS - 3);
    const options = await as(userId);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => identity.createApiKey(options)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await catchFailure(identity.gateway.CreateApiKey({}, await as(userId)))).toMatchObject({
      code: 'request-refused',
    });
    await identity.gateway.DeleteApiKey({ id: key.id }, await as(userId));
    await identity.createApiKey(await as(userId));
  });

  test('a registry key cannot manage keys of users', async () => {
    const options = await asRegistry();
    expect(await catchFailure(identity.gateway.ListApiKeys({}, options))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(identity.gateway.CreateApiKey({}, options))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(identity.gateway.DeleteApiKey({ id: newId() }, options))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('a call without a principal is refused', async () => {
    expect(await catchFailure(identity.gateway.CreateApiKey({}))).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('registry keys', () => {
  test('users of one account holder share its keys', async () => {
    const holder = newId();
    const creator = await identity.newUser();
    const colleague = await identity.newUser();
    const expiresAt = ahead(30 * DAY_MS);
    const { key, secret } = await identity.createRegistryKey(expiresAt, await as(creator, holder));
    expect(isWellFormedSecret(secret, 'scs_reg')).toBe(true);
    expect(key.expiresAt).toBe(expiresAt);
    const principal = await identity.authenticate(withRegistryKey(key, secret));
    expect(principal).toMatchObject({ kind: 'registry', accountHolderId: holder });
    expect((await identity.gateway.ListRegistryKeys({}, await as(colleague, holder))).keys).toEqual([key]);
    expect(await identity.gateway.DeleteRegistryKey({ id: key.id }, await as(colleague, holder))).toEqual(key);
    await eventually(async () => wasDeleted(key.id), 'the broadcast of the deletion');
    expect(await catchFailure(identity.gateway.Authenticate(withRegistryKey(key, secret)))).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test("another account holder's key is not found, and stays", async () => {
    const user = await identity.newUser();
    const { key } = await identity.createRegistryKey(ahead(DAY_MS), await as(user, 'h2'));
    const failure = await catchFailure(identity.gateway.DeleteRegistryKey({ id: key.id }, await as(user, 'h3')));
    expect(failure).toMatchObject({ code: 'not-found' });
    expect((await identity.gateway.ListRegistryKeys({}, await as(user, 'h3'))).keys).toEqual([]);
    expect((await identity.gateway.ListRegistryKeys({}, await as(user, 'h2'))).keys).toEqual([key]);
  });

  test('a user without an account holder is refused before the request is validated', async () => {
    const user = await identity.newUser();
    expect(await catchFailure(identity.gateway.ListRegistryKeys({}, await as(user)))).toMatchObject({
      code: 'forbidden',
    });
    expect(
      await catchFailure(identity.gateway.CreateRegistryKey({ expiresAt: 'nonsense' }, await as(user))),
    ).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(identity.gateway.DeleteRegistryKey({ id: newId() }, await as(user)))).toMatchObject({
      code: 'forbidden',
    });
  });

  test.each([
    ['', 'format'],
    ['nonsense', 'format'],
    ['2030-01-31', 'format'],
    ['2030-02-30T00:00:00Z', 'format'],
    ['2030-01-31T00:00:00', 'format'],
    ['2020-01-31T00:00:00Z', 'expiry-past'],
    [ahead(-1_000), 'expiry-past'],
    [ahead(732 * DAY_MS), 'expiry-too-far'],
    ['9999-12-31T23:59:59Z', 'expiry-too-far'],
  ])('the expiry "%s" is refused', async (expiresAt, code) => {
    const failure = await catchFailure(
      identity.gateway.CreateRegistryKey({ expiresAt }, await as(await identity.newUser(), 'h4')),
    );
    expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ code, pointer: '#/expiresAt' }] });
  });

  test('an expiry may be two calendar years ahead, with any offset', async () => {
    const now = new Date();
    clock.stopAt(now);
    const limit = addCalendarYear(addCalendarYear(now));
    const text = `${new Date(limit.getTime() + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`;
    const { key } = await identity.createRegistryKey(text, await as(await identity.newUser(), 'h5'));
    expect(key.expiresAt).toBe(limit.toISOString());
    const later = new Date(limit.getTime() + 1).toISOString();
    const refused = identity.createRegistryKey(later, await as(await identity.newUser(), 'h5'));
    expect(await catchFailure(refused)).toMatchObject({ violations: [{ code: 'expiry-too-far' }] });
  });

  test('concurrent creations respect the limit of keys', async () => {
    const user = await identity.newUser();
    const holder = newId();
    await identity.service.sql(
      `insert into registry_key (id, account_holder_id, secret_hash, created_at, expires_at)
       select $1::text || n, $1, sha256(n::text::bytea), now(), now() + interval '1 year'
       from generate_series(1, $2::int) n`,
      [holder, MAX_ACTIVE_KEYS - 1],
    );
    const options = await as(user, holder);
    const request = { expiresAt: ahead(DAY_MS) };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => identity.gateway.CreateRegistryKey(request, options)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

test.each(['traders', 'admin', 'rbac', 'registry-import'] as const)('%s may not administer keys', async (caller) => {
  const client = await callAs(caller, 'identity', identity.service.address);
  const user = await identity.newUser();
  expect(await catchFailure(client.ListApiKeys({}, await as(user)))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.CreateApiKey({}, await as(user)))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.DeleteApiKey({ id: newId() }, await as(user)))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.ListRegistryKeys({}, await as(user, 'h')))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.CreateRegistryKey({ expiresAt: ahead(1_000) }, await as(user, 'h')))).toMatchObject({
    code: 'forbidden',
  });
  expect(await catchFailure(client.DeleteRegistryKey({ id: newId() }, await as(user, 'h')))).toMatchObject({
    code: 'forbidden',
  });
  client.close();
});
