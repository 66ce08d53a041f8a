import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, eventually, catchFailure } from '@saleschannel/testing';
import { testClock, startIdentity, withKey, withRegistryKey, withToken, type Identity } from './support/identity.ts';

/** Claims of users, and last-seen times of users and keys. */

const MINUTE_MS = 60_000;
const clock = testClock();
let identity: Identity;
let directory: ServiceClient<'userDirectory'>;

beforeAll(async () => {
  identity = await startIdentity({ clock });
  directory = await callAs('rbac', 'userDirectory', identity.service.address);
});
afterEach(() => clock.resume());
afterAll(async () => {
  directory.close();
  await identity.stop();
});

/** Returns the user of a token. The principal token is not verified: it has the time of the test clock. */
async function signIn(subject: string, claims: Record<string, unknown> = {}): Promise<string> {
  await identity.gateway.Authenticate(withToken(await identity.issuer.token(subject, { claims })));
  return (await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject })).id;
}
const known = (userId: string) => directory.GetUser({ userId });
const inAYear = (): string => new Date(Date.now() + 300 * 86_400_000).toISOString();

/** Waits until the write of a later user, which follows all earlier writes of the replica. */
async function allWritten(): Promise<void> {
  const marker = await signIn(newId());
  await eventually(async () => (await known(marker)).lastSeenOn !== undefined, 'a later use');
}

const anna = { email: 'Anna.Berg@example.test', email_verified: true, name: 'Anna Berg' };

describe('claims of users', () => {
  test('are stored from the first token on and visible to the user', async () => {
    const userId = await signIn(newId(), anna);
    expect(await known(userId)).toMatchObject({ email: anna.email, emailVerified: true, name: anna.name });
    expect(await identity.gateway.GetMe({}, await asUser(undefined, [], userId))).toMatchObject({
      email: anna.email,
      name: anna.name,
    });
  });

  test('are stored at the first sign-in of an introduced user', async () => {
    const subject = newId();
    const { id } = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject });
    expect(await known(id)).not.toHaveProperty('name');
    await signIn(subject, anna);
    expect(await known(id)).toMatchObject({ email: anna.email, name: anna.name });
  });

  test('do not block the first sign-in while they cannot be written', async () => {
    const subject = newId();
    const { id } = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject });
    const holder = createConnection(identity.service.databaseUrl);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from app_user where id = $1 for update', [id]);
    try {
      expect(await signIn(subject, anna)).toBe(id);
      expect(await known(id)).not.toHaveProperty('name');
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    await eventually(async () => (await known(id)).name === anna.name, 'the name');
  });

  test('are updated by a later token, and missing claims remove nothing', async () => {
    const subject = newId();
    const userId = await signIn(subject);
    expect(await known(userId)).not.toHaveProperty('email');
    await signIn(subject, anna);
    await eventually(async () => (await known(userId)).name === anna.name, 'the name');
    await signIn(subject);
    await signIn(subject, { name: 'Anna Lind' });
    await eventually(async () => (await known(userId)).name === 'Anna Lind', 'the new name');
    expect(await known(userId)).toMatchObject({ email: anna.email, emailVerified: true });
    await signIn(subject, { email: 'other@example.test' });
    await eventually(async () => (await known(userId)).email === 'other@example.test', 'the new address');
    expect(await known(userId)).toMatchObject({ emailVerified: false, name: 'Anna Lind' });
  });

  test.each([
    ['an address without a host', { email: 'anna' }],
    ['an address of two lines', { email: 'anna@example.test\nBcc: x@example.test' }],
    ['an address with invisible characters', { email: 'an\u202ena@example.test' }],
    ['a very long address', { email: `${'x'.repeat(250)}@example.test` }],
    ['an object as address', { email: { local: 'anna' } }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: '  ' }],
    ['a name with a NUL', { name: 'An\u0000na' }],
    ['an ill-formed name', { name: 'a\ud800' }],
    ['a very long name', { name: 'x'.repeat(201) }],
    ['a list of names', { name: ['Anna'] }],
  ])('are skipped when malformed (%s), and the token is accepted', async (_what, claims) => {
    const user = await known(await signIn(newId(), claims));
    expect(user).not.toHaveProperty('email');
    expect(user).not.toHaveProperty('name');
  });

  test.each([undefined, false, 'true', 1])('email_verified %j leaves the address unverified', async (verified) => {
    const user = await known(await signIn(newId(), { ...anna, email_verified: verified }));
    expect(user).toMatchObject({ email: anna.email, emailVerified: false });
  });
});

describe('last-seen times', () => {
  test('are written once in ten minutes', async () => {
    const subject = newId();
    const start = Date.now();
    const at = (ms: number): string => new Date(start + ms).toISOString();
    clock.stopAt(start);
    const userId = await signIn(subject);
    const seen = () => known(userId).then(({ lastSeenOn }) => lastSeenOn);
    await eventually(async () => (await seen()) === at(0), 'the first time');
    clock.stopAt(start + 10 * MINUTE_MS - 1);
    await signIn(subject);
    await allWritten();
    expect(await seen()).toBe(at(0));
    clock.stopAt(start + 10 * MINUTE_MS);
    await signIn(subject);
    await eventually(async () => (await seen()) === at(10 * MINUTE_MS), 'the next time');
  });

  test('never go back, even with several replicas', async () => {
    const subject = newId();
    const userId = await signIn(subject);
    await allWritten();
    const later = new Date(Date.now() + 60 * MINUTE_MS).toISOString();
    await identity.service.sql('update app_user set last_seen_at = $1 where id = $2', [later, userId]);
    clock.stopAt(Date.now() + 20 * MINUTE_MS);
    await signIn(subject, { name: 'Anna' });
    await eventually(async () => (await known(userId)).name === 'Anna', 'the claims written with it');
    expect(await known(userId)).toMatchObject({ lastSeenOn: later });
  });

  test('are missing for a user who was only introduced', async () => {
    const { id } = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject: newId() });
    await allWritten();
    expect(await known(id)).not.toHaveProperty('lastSeenOn');
  });

  test('are set by valid uses of a key, for the key and its user', async () => {
    const accountHolderId = newId();
    const userId = await identity.newUser();
    const [used, unused] = [await identity.issueApiKey(userId), await identity.issueApiKey(userId)];
    const registry = await identity.issueRegistryKey(accountHolderId, inAYear());
    const options = await asUser(undefined, [], userId, accountHolderId);
    const usedOn = async (id: string) =>
      (await identity.gateway.ListKeyDetails({}, options)).keys.find((key) => key.id === id)?.lastUsedOn;
    clock.stopAt(Date.now());
    const now = clock.now().toISOString();
    await identity.gateway.Authenticate(withKey(used.key, used.secret));
    await identity.gateway.Authenticate(withRegistryKey(registry.key, registry.secret));
    await catchFailure(identity.gateway.Authenticate(withKey(unused.key, used.secret)));
    await eventually(async () => (await usedOn(used.key.id)) === now, 'the use of the API key');
    await eventually(async () => (await usedOn(registry.key.id)) === now, 'the use of the registry key');
    await eventually(async () => (await known(userId)).lastSeenOn === now, 'the user');
    await allWritten();
    expect(await usedOn(unused.key.id)).toBeUndefined();
  });

  test('delay no request, and a slow database gets one write at a time', async () => {
    const subjects = Array.from({ length: 20 }, newId);
    const userIds = await Promise.all(subjects.map((subject) => signIn(subject)));
    await allWritten();
    const holder = createConnection(identity.service.databaseUrl);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from app_user where id = $1 for update', [userIds[0]]);
    const writes = async (): Promise<number | undefined> => {
      const { rows } = await holder.query(
        `select count(*)::int as writes from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%update app_user%'
           and pid <> pg_backend_pid()`,
      );
      return (rows as { writes: number }[])[0]?.writes;
    };
    try {
      for (let round = 0; round < 3; round++) {
        await Promise.all(subjects.map((subject) => signIn(subject, { name: `Name ${round}` })));
        await eventually(async () => (await writes()) === 1, 'exactly one waiting write');
      }
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
    const written = await Promise.all(
      userIds.map((userId) => eventually(async () => (await known(userId)).name, 'a name')),
    );
    expect(new Set(written).size).toBeLessThanOrEqual(3);
  });
});
