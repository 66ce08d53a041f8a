import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { asUser, removeMarkers, callAs, catchFailure } from '@saleschannel/testing';
import { startIdentity, withKey, withRegistryKey, withToken, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** Creates a user of an account holder, with a credential. */
async function createUserOf(accountHolderId: string) {
  const subject = newId();
  const { id: userId } = await identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject });
  await identity.admin.SetAccountHolder({ userId, accountHolderId });
  return { userId, credential: withToken(await identity.issuer.token(subject)) };
}

const refused = { code: 'unauthenticated' };

describe('a registry key', () => {
  test.each([
    ['whose account holder is not a registry', { kind: 'HOLDER', status: 'ACTIVE' }],
    ['whose account holder is suspended', { kind: 'REGISTRY', status: 'SUSPENDED' }],
  ])('%s is refused until that ends', async (_what, status) => {
    const holder = newId();
    const { key, secret } = await identity.issueRegistryKey(holder, tomorrow());
    const credential = withRegistryKey(key, secret);
    expect(await identity.authenticate(credential)).toMatchObject({ kind: 'registry', accountHolderId: holder });
    identity.accountHolders.set(holder, status);
    expect(await catchFailure(identity.gateway.Authenticate(credential))).toMatchObject(refused);
    identity.accountHolders.delete(holder);
    expect(await identity.authenticate(credential)).toMatchObject({ kind: 'registry' });
  });

  test('is unavailable rather than refused while registry-import is down', async () => {
    const holder = newId();
    const { key, secret } = await identity.issueRegistryKey(holder, tomorrow());
    identity.accountHolders.set(holder, new DomainError('unavailable', 'down'));
    expect(await catchFailure(identity.gateway.Authenticate(withRegistryKey(key, secret)))).toMatchObject({
      code: 'unavailable',
    });
  });

  test('is created only by users of a registry', async () => {
    for (const [status, expected] of [
      [{ kind: 'REGISTRY', status: 'ACTIVE' }, true],
      [{ kind: 'HOLDER', status: 'ACTIVE' }, false],
      [{ kind: 'REGISTRY', status: 'SUSPENDED' }, false],
    ] as const) {
      const holder = newId();
      identity.accountHolders.set(holder, status);
      const { credential } = await createUserOf(holder);
      const claimed = expected ? { isRegistry: true } : {};
      expect(await identity.authenticate(credential)).toMatchObject({ accountHolderId: holder, ...claimed });
      const { principalToken } = await identity.gateway.Authenticate({ ...credential, receivers: ['identity'] });
      const created = identity.gateway.CreateRegistryKey({ expiresAt: tomorrow() }, { principalToken });
      if (expected) expect((await created).secret).toMatch(/^scs_reg_/);
      else expect(await catchFailure(created)).toMatchObject({ code: 'forbidden' });
      // Existing keys can still be listed and deleted.
      expect((await identity.gateway.ListRegistryKeys({}, { principalToken })).keys).toHaveLength(expected ? 1 : 0);
    }
  });

  test('is refused to a recent token whose account holder is no longer a registry', async () => {
    const holder = newId();
    identity.accountHolders.set(holder, { kind: 'HOLDER', status: 'ACTIVE' });
    const options = await asUser(undefined, [], await identity.newUser(), holder, { isRegistry: true });
    expect(await catchFailure(identity.gateway.CreateRegistryKey({ expiresAt: tomorrow() }, options))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('is refused to a recent token whose user has left the account holder', async () => {
    const [left, joined] = [newId(), newId()];
    const { userId } = await createUserOf(left);
    const options = await asUser(undefined, [], userId, left, { isRegistry: true });
    for (const accountHolderId of [undefined, joined]) {
      await identity.admin.SetAccountHolder({ userId, accountHolderId });
      expect(await catchFailure(identity.createRegistryKey(tomorrow(), options))).toMatchObject({ code: 'forbidden' });
    }
    expect((await identity.operator.ListKeys({ limit: 10, accountHolderId: left })).keys).toEqual([]);
  });

  test('is issued by the operator only to a registry', async () => {
    const holder = newId();
    identity.accountHolders.set(holder, { kind: 'HOLDER', status: 'ACTIVE' });
    for (const accountHolderId of [holder, 'unknown'])
      expect(await catchFailure(identity.issueRegistryKey(accountHolderId, tomorrow()))).toMatchObject({
        code: 'request-refused',
      });
  });
});

describe('a disabled user', () => {
  test('has no valid credential until enabled again', async () => {
    const holder = newId();
    const { userId, credential } = await createUserOf(holder);
    const api = await identity.issueApiKey(userId);
    const registry = await identity.createRegistryKey(
      tomorrow(),
      await asUser(undefined, [], userId, holder, { isRegistry: true }),
    );
    const stranger = await identity.issueApiKey(await identity.newUser());
    const credentials = [credential, withKey(api.key, api.secret), withRegistryKey(registry.key, registry.secret)];
    const disabled = await identity.operator.DisableUser({ userId, reason: 'left' });
    expect(disabled).toMatchObject({ id: userId, disabledReason: 'left', disabledAt: expect.any(String) });
    for (const each of credentials)
      expect(await catchFailure(identity.gateway.Authenticate(each))).toMatchObject(refused);
    await identity.authenticate(withKey(stranger.key, stranger.secret));
    // A repeat changes only the reason.
    const again = await identity.operator.DisableUser({ userId, reason: 'left for good' });
    expect(again).toMatchObject({ disabledAt: disabled.disabledAt, disabledReason: 'left for good' });
    expect(removeMarkers(await identity.operator.EnableUser({ userId }))).not.toHaveProperty('disabledAt');
    for (const each of credentials) await identity.authenticate(each);
  });

  test('creates no key with a recent token', async () => {
    const userId = await identity.newUser();
    await identity.operator.DisableUser({ userId, reason: 'stolen laptop' });
    expect(await catchFailure(identity.createApiKey(await asUser(undefined, [], userId)))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('is listed; an unknown user or a missing reason is refused', async () => {
    const { userId } = await createUserOf('holder-of-disabled');
    await identity.operator.DisableUser({ userId, reason: 'x' });
    const listed = await identity.operator.ListUsers({
      limit: 10,
      accountHolderId: 'holder-of-disabled',
      disabled: true,
    });
    expect(listed.users.map(({ id }) => id)).toEqual([userId]);
    expect(await catchFailure(identity.operator.DisableUser({ userId, reason: '' }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'reason' }],
    });
    expect(await catchFailure(identity.operator.DisableUser({ userId: newId(), reason: 'x' }))).toMatchObject({
      code: 'not-found',
    });
    expect(await catchFailure(identity.operator.EnableUser({ userId: newId() }))).toMatchObject({ code: 'not-found' });
  });
});

test('changes by an operator are in the trail of the installation, with the states before and after', async () => {
  const { userId } = await createUserOf('h1');
  await identity.admin.SetAccountHolder({ userId, accountHolderId: 'h2' });
  await identity.operator.DisableUser({ userId, reason: 'left' });
  await identity.operator.EnableUser({ userId });
  const client = await callAs('admin', 'auditLog', identity.service.address, 'identity');
  const { events } = await client.ListAuditEvents({
    scope: 'installation',
    range: { afterSequence: '0', limit: 1_000 },
  });
  client.close();
  const acts = events.map(
    ({ event }) => JSON.parse(event) as Record<'subject' | 'action' | 'before' | 'after', object>,
  );
  const disabled = { disabledAt: expect.any(String), reason: 'left' };
  const enabled = { disabledAt: null, reason: null };
  expect(
    acts
      .filter(({ subject }) => (subject as { id: string }).id === userId)
      .map(({ action, before, after }) => ({ action, before, after })),
  ).toEqual([
    {
      action: 'identity.user.account-holder-set',
      before: { accountHolderId: null },
      after: { accountHolderId: 'h1' },
    },
    {
      action: 'identity.user.account-holder-set',
      before: { accountHolderId: 'h1' },
      after: { accountHolderId: 'h2' },
    },
    { action: 'identity.user.disabled', before: enabled, after: disabled },
    { action: 'identity.user.enabled', before: disabled, after: enabled },
  ]);
});

test('users are listed page by page', async () => {
  const holder = newId();
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await createUserOf(holder)).userId);
  ids.sort();
  const first = await identity.operator.ListUsers({ limit: 2, accountHolderId: holder });
  expect(first.users.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const rest = await identity.operator.ListUsers({ limit: 2, accountHolderId: holder, after: ids[1] });
  expect(rest.users.map(({ id }) => id)).toEqual(ids.slice(2));
});

test('users are found by any part of their subject, ignoring case and accents', async () => {
  const tag = newId();
  const subjectsOf = async (subjectPart: string): Promise<string[]> => {
    const { users, searched } = await identity.operator.ListUsers({ limit: 10, subjectPart });
    expect(searched).toBe(true);
    return users.map(({ subject }) => subject).toSorted();
  };
  const subjects = [`anna.${tag}@id.example`, `Zoë ${tag}`];
  for (const subject of subjects) await identity.admin.EnsureUser({ issuer: 'https://id.example', subject });
  expect(await subjectsOf(tag.toUpperCase())).toEqual(subjects.toSorted());
  expect(await subjectsOf(`oe ${tag}`)).toEqual([`Zoë ${tag}`]);
  expect(await subjectsOf(`${tag}@ID`)).toEqual([`anna.${tag}@id.example`]);
  expect(await subjectsOf(`${tag}x`)).toEqual([]);
  expect((await identity.operator.ListUsers({ limit: 1 })).searched).toBe(false);
  expect(await catchFailure(identity.operator.ListUsers({ limit: 1, subjectPart: '' }))).toMatchObject({
    code: 'invalid-request',
    violations: [{ parameter: 'subjectContains', code: 'minLength' }],
  });
});

test('the principal names a suspended sales channel, whose users may still read', async () => {
  const { userId, credential } = await createUserOf(newId());
  identity.rights.set(userId, { salesChannelId: 'c1', roles: ['EVENT_VIEWER'], isSuspended: true });
  expect(await identity.authenticate(credential)).toMatchObject({
    salesChannelId: 'c1',
    roles: ['EVENT_VIEWER'],
    isSuspended: true,
  });
});

test('the principal names the presented key', async () => {
  const { key, secret } = await identity.issueApiKey(await identity.newUser());
  expect(await identity.authenticate(withKey(key, secret))).toMatchObject({ keyId: key.id });
  expect(await identity.authenticate((await createUserOf(newId())).credential)).not.toHaveProperty('keyId');
});

describe('GetMe', () => {
  test('returns the user, their channel and account holder', async () => {
    const holder = newId();
    const { userId } = await createUserOf(holder);
    identity.rights.set(userId, { salesChannelId: 'c1', roles: ['EVENT_VIEWER'] });
    identity.accountHolders.set(holder, { kind: 'HOLDER', status: 'SUSPENDED' });
    expect(await identity.gateway.GetMe({}, await asUser(undefined, [], userId))).toMatchObject({
      userId,
      issuer: identity.issuer.issuer,
      salesChannel: { id: 'c1', name: 'One', status: 'ACTIVE' },
      roles: ['EVENT_VIEWER'],
      accountHolder: { accountHolderId: holder, name: 'A holder', kind: 'HOLDER', status: 'SUSPENDED' },
    });
  });

  test('returns a user without a channel or account holder', async () => {
    const userId = await identity.newUser();
    expect(await identity.gateway.GetMe({}, await asUser(undefined, [], userId))).toMatchObject({
      userId,
      salesChannel: null,
      roles: [],
      accountHolder: null,
    });
  });
});

test('an operator looks up an id, without secrets', async () => {
  const client = await callAs('admin', 'lookUp', identity.service.address, 'identity');
  const userId = await identity.newUser();
  const { key, secret } = await identity.issueApiKey(userId);
  expect(await client.LookUp({ id: userId })).toMatchObject({ things: [{ kind: 'user', facts: { userId } }] });
  const { things } = await client.LookUp({ id: key.id });
  expect(things).toMatchObject([{ kind: 'API key', facts: { keyId: key.id, userId } }]);
  expect(JSON.stringify(things)).not.toContain(secret);
  expect((await client.LookUp({ id: newId() })).things).toEqual([]);
  client.close();
});

test.each(['gateway', 'rbac', 'traders'] as const)('%s may not call the RPCs of operators', async (caller) => {
  const client = await callAs(caller, 'identityAdministration', identity.service.address);
  const lookUp = await callAs(caller, 'lookUp', identity.service.address, 'identity');
  const failures = await Promise.all(
    [
      client.ListUsers({ limit: 1 }),
      client.ListKeys({ limit: 1 }),
      client.RevokeKey({ keyId: newId() }),
      client.RevokeUserKeys({ userId: newId() }),
      client.DisableUser({ userId: newId(), reason: 'x' }),
      client.EnableUser({ userId: newId() }),
      lookUp.LookUp({ id: newId() }),
    ].map((call: Promise<unknown>) => catchFailure(call)),
  );
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['forbidden']));
  client.close();
  lookUp.close();
});
