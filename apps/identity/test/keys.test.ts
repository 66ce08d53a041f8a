import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { createBroker, listenToBroadcasts } from '@saleschannel/messaging';
import { isWellFormedSecret, newId, oneCalendarYearAfter } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import { asRegistry, asUser, callAs, eventually, failureOf, testBrokerUrl } from '@saleschannel/testing';
import { ACTIVE_KEYS_AT_MOST } from '../src/domain/key-rules.ts';
import { movableClock, startHarness, type Harness } from './harness.ts';

const DAY_MS = 86_400_000;
const clock = movableClock();
const deleted: string[] = [];
let harness: Harness;
let stopListening: () => Promise<void>;

beforeAll(async () => {
  harness = await startHarness({ clock });
  const broker = createBroker({
    url: testBrokerUrl(),
    namespace: harness.namespace,
    service: 'gateway',
    logger: silentLogger,
  });
  let ready!: () => void;
  const listening = new Promise<void>((resolve) => (ready = resolve));
  listenToBroadcasts({
    broker,
    service: 'gateway',
    events: ['identity.key.deleted.v1'],
    onEntry: ({ event }) => deleted.push(event.keyId),
    logger: silentLogger,
  });
  broker.use(async () => ready());
  await broker.start();
  await listening;
  stopListening = () => broker.stop();
});
afterAll(async () => {
  await stopListening();
  await harness.stop();
});

const newUser = async (): Promise<string> =>
  (await harness.admin.EnsureUser({ issuer: 'https://issuer.example', subject: newId() })).id;
const as = (userId: string, accountHolderId?: string) => asUser(undefined, [], userId, accountHolderId);
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();

async function fillKeys(userId: string, keys: number): Promise<void> {
  await harness.sql.query(
    `insert into api_key (id, user_id, secret_hash, created_at, expires_at)
     select 'full-' || $1::text || n, $1, sha256(n::text::bytea), now(), now() + interval '1 year' from generate_series(1, $2::int) n`,
    [userId, keys],
  );
}

describe('API keys', () => {
  test('a created key lasts one calendar year, is shown once, listed without its passphrase, and works', async () => {
    const userId = await newUser();
    const { key, secret } = await harness.gateway.CreateApiKey({}, await as(userId));
    expect(isWellFormedSecret(secret, 'scs_key')).toBe(true);
    expect(key!.expiresAt).toBe(oneCalendarYearAfter(new Date(key!.createdOn)).toISOString());
    const second = await harness.gateway.CreateApiKey({}, await as(userId));
    const { keys } = await harness.gateway.ListApiKeys({}, await as(userId));
    expect(keys).toEqual([key, second.key]);
    const principal = await harness.authenticate({
      surface: 'SALES_CHANNEL',
      basic: { username: key!.id, password: secret },
    });
    expect(principal).toMatchObject({ kind: 'user', userId });
  });

  test('expired keys stay listed until they are deleted', async () => {
    const userId = await newUser();
    const { key } = await harness.gateway.CreateApiKey({}, await as(userId));
    try {
      clock.ahead(400 * DAY_MS);
      expect((await harness.gateway.ListApiKeys({}, await as(userId))).keys).toEqual([key]);
    } finally {
      clock.ahead(0);
    }
  });

  test('a deleted key is answered once, works no more, and everybody hears of it', async () => {
    const userId = await newUser();
    const { key, secret } = await harness.gateway.CreateApiKey({}, await as(userId));
    expect(await harness.gateway.DeleteApiKey({ id: key!.id }, await as(userId))).toEqual(key);
    const basic = { username: key!.id, password: secret };
    expect(await failureOf(harness.gateway.Authenticate({ surface: 'SALES_CHANNEL', basic }))).toMatchObject({
      code: 'unauthenticated',
    });
    expect(await failureOf(harness.gateway.DeleteApiKey({ id: key!.id }, await as(userId)))).toMatchObject({
      code: 'not-found',
    });
    expect((await harness.gateway.ListApiKeys({}, await as(userId))).keys).toEqual([]);
    await eventually(async () => deleted.includes(key!.id), 'the broadcast of the deletion');
  });

  test("another user's key, a registry key and no key at all are the same to a user: not found, and they stay", async () => {
    const owner = await newUser();
    const { key } = await harness.gateway.CreateApiKey({}, await as(owner));
    const registry = await harness.admin.IssueRegistryKey({ accountHolderId: 'h1', expiresAt: ahead(DAY_MS) });
    const stranger = await newUser();
    const failures = [];
    for (const id of [key!.id, registry.key!.id, newId(), '', 'x\u0000']) {
      failures.push(await failureOf(harness.gateway.DeleteApiKey({ id }, await as(stranger, 'h1'))));
    }
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect((await harness.gateway.ListApiKeys({}, await as(owner))).keys).toEqual([key]);
    expect((await harness.gateway.ListApiKeys({}, await as(stranger))).keys).toEqual([]);
  });

  test('of many deletions of one key at the same time one finds it', async () => {
    const userId = await newUser();
    const { key } = await harness.gateway.CreateApiKey({}, await as(userId));
    const options = await as(userId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => harness.gateway.DeleteApiKey({ id: key!.id }, options)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('the number of keys is limited, also for creations at the same time', async () => {
    const userId = await newUser();
    await fillKeys(userId, ACTIVE_KEYS_AT_MOST - 2);
    const options = await as(userId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => harness.gateway.CreateApiKey({}, options)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await failureOf(harness.gateway.CreateApiKey({}, await as(userId)))).toMatchObject({
      code: 'request-refused',
    });
    const { keys } = await harness.gateway.ListApiKeys({}, await as(userId));
    await harness.gateway.DeleteApiKey({ id: keys.at(-1)!.id }, await as(userId));
    await harness.gateway.CreateApiKey({}, await as(userId));
  });

  test('a registry key administers no keys of users', async () => {
    const options = await asRegistry();
    expect(await failureOf(harness.gateway.ListApiKeys({}, options))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(harness.gateway.CreateApiKey({}, options))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(harness.gateway.DeleteApiKey({ id: newId() }, options))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('without a principal nothing is done', async () => {
    expect(await failureOf(harness.gateway.CreateApiKey({}))).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('registry keys', () => {
  test('users of one account holder share its keys', async () => {
    const holder = newId();
    const creator = await newUser();
    const colleague = await newUser();
    const expiresAt = ahead(30 * DAY_MS);
    const { key, secret } = await harness.gateway.CreateRegistryKey({ expiresAt }, await as(creator, holder));
    expect(isWellFormedSecret(secret, 'scs_reg')).toBe(true);
    expect(key!.expiresAt).toBe(expiresAt);
    const principal = await harness.authenticate({
      surface: 'REGISTRY',
      basic: { username: key!.id, password: secret },
    });
    expect(principal).toMatchObject({ kind: 'registry', accountHolderId: holder });
    expect((await harness.gateway.ListRegistryKeys({}, await as(colleague, holder))).keys).toEqual([key]);
    expect(await harness.gateway.DeleteRegistryKey({ id: key!.id }, await as(colleague, holder))).toEqual(key);
    await eventually(async () => deleted.includes(key!.id), 'the broadcast of the deletion');
    expect(
      await failureOf(
        harness.gateway.Authenticate({ surface: 'REGISTRY', basic: { username: key!.id, password: secret } }),
      ),
    ).toMatchObject({
      code: 'unauthenticated',
    });
  });

  test("another account holder's key is not found, and stays", async () => {
    const user = await newUser();
    const { key } = await harness.gateway.CreateRegistryKey({ expiresAt: ahead(DAY_MS) }, await as(user, 'h2'));
    const failure = await failureOf(harness.gateway.DeleteRegistryKey({ id: key!.id }, await as(user, 'h3')));
    expect(failure).toMatchObject({ code: 'not-found' });
    expect((await harness.gateway.ListRegistryKeys({}, await as(user, 'h3'))).keys).toEqual([]);
    expect((await harness.gateway.ListRegistryKeys({}, await as(user, 'h2'))).keys).toEqual([key]);
  });

  test('a user without an account holder is refused, before the request is looked at', async () => {
    const user = await newUser();
    expect(await failureOf(harness.gateway.ListRegistryKeys({}, await as(user)))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(harness.gateway.CreateRegistryKey({ expiresAt: 'nonsense' }, await as(user)))).toMatchObject(
      { code: 'forbidden' },
    );
    expect(await failureOf(harness.gateway.DeleteRegistryKey({ id: newId() }, await as(user)))).toMatchObject({
      code: 'forbidden',
    });
  });

  test.each([
    ['', 'date-time-form'],
    ['nonsense', 'date-time-form'],
    ['2030-01-31', 'date-time-form'],
    ['2030-02-30T00:00:00Z', 'date-time-form'],
    ['2030-01-31T00:00:00', 'date-time-form'],
    ['2020-01-31T00:00:00Z', 'expiry-past'],
    [ahead(-1_000), 'expiry-past'],
    [ahead(732 * DAY_MS), 'expiry-too-far'],
    ['9999-12-31T23:59:59Z', 'expiry-too-far'],
  ])('the expiry "%s" is refused', async (expiresAt, code) => {
    const failure = await failureOf(harness.gateway.CreateRegistryKey({ expiresAt }, await as(await newUser(), 'h4')));
    expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ code, pointer: '#/expiresAt' }] });
  });

  test('two calendar years ahead is the limit, and offsets are understood', async () => {
    const now = new Date();
    const limit = oneCalendarYearAfter(oneCalendarYearAfter(now));
    const text = `${new Date(limit.getTime() + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`;
    const { key } = await harness.gateway.CreateRegistryKey({ expiresAt: text }, await as(await newUser(), 'h5'));
    expect(key!.expiresAt).toBe(limit.toISOString());
  });

  test('the number of keys is limited, also for creations at the same time', async () => {
    const user = await newUser();
    const holder = newId();
    await harness.sql.query(
      `insert into registry_key (id, account_holder_id, secret_hash, created_at, expires_at)
       select $1::text || n, $1, sha256(n::text::bytea), now(), now() + interval '1 year' from generate_series(1, $2::int) n`,
      [holder, ACTIVE_KEYS_AT_MOST - 1],
    );
    const options = await as(user, holder);
    const request = { expiresAt: ahead(DAY_MS) };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => harness.gateway.CreateRegistryKey(request, options)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

test.each(['traders', 'admin', 'rbac', 'registry-import'] as const)('%s may not administer keys', async (caller) => {
  const client = await callAs(caller, services.identity, harness.service.address);
  const user = await newUser();
  expect(await failureOf(client.ListApiKeys({}, await as(user)))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(client.CreateApiKey({}, await as(user)))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(client.DeleteApiKey({ id: newId() }, await as(user)))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(client.ListRegistryKeys({}, await as(user, 'h')))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(client.CreateRegistryKey({ expiresAt: ahead(1_000) }, await as(user, 'h')))).toMatchObject({
    code: 'forbidden',
  });
  expect(await failureOf(client.DeleteRegistryKey({ id: newId() }, await as(user, 'h')))).toMatchObject({
    code: 'forbidden',
  });
  client.close();
});
