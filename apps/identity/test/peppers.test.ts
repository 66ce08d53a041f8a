import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  eventually,
  catchFailure,
  openTestDatabase,
  type TestDatabase,
} from '@saleschannel/testing';
import { countKeysUnderOldPepper } from '../src/store/keys.ts';
import { schema } from '../src/store/schema.ts';
import { startIdentity, withKey, withRegistryKey, type CreatedKey, type Identity } from './support/identity.ts';

const [one = '', two = '', three = ''] = Array.from({ length: 3 }, () => randomBytes(32).toString('base64'));

let database: TestDatabase;
const running: Identity[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const identity of running.splice(0)) await identity.stop();
});
afterAll(() => database.drop());

/** Starts identity with these peppers on the database of these tests. */
async function withPeppers(peppers: string): Promise<Identity> {
  const identity = await startIdentity({ databaseUrl: database.url, variables: { API_KEY_PEPPER: peppers } });
  running.push(identity);
  return identity;
}

async function versionOf(identity: Identity, table: 'api_key' | 'registry_key', { key }: CreatedKey): Promise<number> {
  const [row] = await identity.service.sql<{ version: number }>(
    `select pepper_version as version from ${table} where id = $1`,
    [key.id],
  );
  return row?.version ?? 0;
}

const authenticate = (identity: Identity, { key, secret }: CreatedKey) => identity.authenticate(withKey(key, secret));
const inAWeek = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString();

test('keys stay valid through a change of the pepper, and move to the new one on use', async () => {
  const before = await withPeppers(one);
  const userId = await before.newUser();
  const [used, unused] = [await before.issueApiKey(userId), await before.issueApiKey(userId)];
  const registry = await before.issueRegistryKey('holder-1', inAWeek());
  expect(await versionOf(before, 'api_key', used)).toBe(1);

  const prepared = await withPeppers(`1:${one},2:${two}`);
  await authenticate(prepared, used);
  expect(await versionOf(prepared, 'api_key', await prepared.issueApiKey(userId))).toBe(1);

  const switched = await withPeppers(`2:${two},1:${one}`);
  const created = await switched.issueApiKey(userId);
  expect(await versionOf(switched, 'api_key', created)).toBe(2);
  expect(await authenticate(switched, used)).toMatchObject({ userId });
  await switched.authenticate(withRegistryKey(registry.key, registry.secret));
  await eventually(async () => (await versionOf(switched, 'api_key', used)) === 2, 'the key to move');
  await eventually(async () => (await versionOf(switched, 'registry_key', registry)) === 2, 'the registry key to move');
  expect(await versionOf(switched, 'api_key', unused)).toBe(1);
  // A replica with the old current version accepts keys of the new one, and moves none back.
  await authenticate(prepared, used);
  await authenticate(prepared, created);
  expect(await versionOf(prepared, 'api_key', used)).toBe(2);

  const finished = await withPeppers(`2:${two}`);
  await authenticate(finished, used);
  await authenticate(finished, created);
  await finished.authenticate(withRegistryKey(registry.key, registry.secret));
  expect(await catchFailure(authenticate(finished, unused))).toMatchObject({ code: 'unauthenticated' });
});

test('valid keys under an older pepper are counted', async () => {
  const before = await withPeppers(`1:${one}`);
  await before.service.sql('delete from api_key');
  await before.service.sql('delete from registry_key');
  const userId = await before.newUser();
  await before.issueApiKey(userId);
  await before.issueApiKey(userId);
  const { key } = await before.issueApiKey(userId);
  await before.issueRegistryKey('holder-1', inAWeek());
  const opened = await openTestDatabase({ url: database.url, poolMax: 1, ...schema });
  try {
    const countUnder = async (version: number, now: Date) => {
      const counts = await countKeysUnderOldPepper(opened.em(), version, now);
      return Object.fromEntries(counts.map(({ kind, keys }) => [kind, keys]));
    };
    expect(await countUnder(1, new Date())).toEqual({ api: 0, registry: 0 });
    expect(await countUnder(2, new Date())).toEqual({ api: 3, registry: 1 });
    expect(await countUnder(2, new Date(key.expiresAt))).toEqual({ api: 0, registry: 0 });
  } finally {
    await opened.stop();
  }
});

test('a wrong secret moves no key, and concurrent uses move a key once', async () => {
  const before = await withPeppers(one);
  const key = await before.issueApiKey(await before.newUser());
  const other = await before.issueApiKey(await before.newUser());
  const identity = await withPeppers(`3:${three},1:${one}`);
  expect(await catchFailure(authenticate(identity, { ...key, secret: other.secret }))).toMatchObject({
    code: 'unauthenticated',
  });
  expect(await versionOf(identity, 'api_key', key)).toBe(1);
  await Promise.all(Array.from({ length: 10 }, () => authenticate(identity, key)));
  await eventually(async () => (await versionOf(identity, 'api_key', key)) === 3, 'the key to move');
  await authenticate(identity, key);
});

test('a key that cannot be moved is still accepted', async () => {
  const before = await withPeppers(one);
  const key = await before.issueApiKey(await before.newUser());
  const identity = await withPeppers(`2:${two},1:${one}`);
  await identity.service.sql(
    `create function stay() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  );
  await identity.service.sql('create trigger stay before update on api_key execute function stay()');
  try {
    await authenticate(identity, key);
    await authenticate(identity, key);
    expect(await versionOf(identity, 'api_key', key)).toBe(1);
  } finally {
    await identity.service.sql('drop trigger stay on api_key');
  }
});
