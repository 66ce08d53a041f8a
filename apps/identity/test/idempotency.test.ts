import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, createdOnce, repeatCall } from '@saleschannel/testing';
import { startIdentity, withKey, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const inYears = (years: number): string => new Date(Date.now() + years * 31_000_000_000).toISOString();

test('an API key is created once, and every repeat gets its secret', async () => {
  const userId = await identity.newUser();
  identity.rights.set(userId, { salesChannelId: 'c1', roles: ['TRADER_VIEWER'] });
  const as = await asUser('c1', [], userId);
  // The request is empty, so no other request exists.
  const { answers, replays } = await repeatCall(as, (options) => identity.gateway.CreateApiKey({}, options));
  const [{ key, secret } = { key: null, secret: '' }] = answers;
  expect(answers).toEqual(answers.map(() => ({ key, secret })));
  expect(replays).toBe(6);
  expect((await identity.gateway.ListApiKeys({}, as)).keys).toHaveLength(1);
  if (!key) throw new Error('The response has no key.');
  expect(await identity.authenticate(withKey(key, secret))).toMatchObject({ userId });
  const kept = await identity.service.sql<{ answer: Buffer }>('select answer from idempotency_key');
  for (const { answer } of kept) expect(answer.toString('latin1')).not.toContain(secret);
});

test('a registry key is created once', async () => {
  const [userId, accountHolderId] = [await identity.newUser(), newId()];
  identity.accountHolders.set(accountHolderId, { kind: 'REGISTRY', status: 'ACTIVE' });
  await identity.admin.SetAccountHolder({ userId, accountHolderId });
  const as = await asUser(undefined, [], userId, accountHolderId, { isRegistry: true });
  const [one, two] = [inYears(1), inYears(1.5)];
  const repeats = await repeatCall(as, (options, isOther) =>
    identity.gateway.CreateRegistryKey({ expiresAt: isOther ? two : one }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
  expect((await identity.gateway.ListRegistryKeys({}, as)).keys).toHaveLength(1);
});

test('a user is introduced once', async () => {
  const as = await asUser('c1', ['ROLE_ADMINISTRATOR'], await identity.newUser());
  const [one, two] = [newId(), newId()];
  const repeats = await repeatCall(as, (options, isOther) =>
    identity.gateway.IntroduceUser({ issuer: identity.issuer.issuer, subject: isOther ? two : one }, options),
  );
  expect(repeats).toEqual(createdOnce(repeats.answers[0]));
});

test('operators disable and enable a user once per key', async () => {
  const userId = await identity.newUser();
  const as = { operator: 'dana' };
  const disabled = await repeatCall(as, (options, isOther) =>
    identity.operator.DisableUser({ userId, reason: isOther ? 'left' : 'lost laptop' }, options),
  );
  expect(disabled).toEqual(createdOnce(disabled.answers[0]));
  const signedOut = await repeatCall(as, (options, isOther) =>
    identity.operator.EndUserSessions({ userId, reason: isOther ? 'left' : 'lost laptop' }, options),
  );
  expect(signedOut).toEqual(createdOnce(signedOut.answers[0]));
  const other = await identity.newUser();
  const enabled = await repeatCall(as, (options, isOther) =>
    identity.operator.EnableUser({ userId: isOther ? other : userId }, options),
  );
  expect(enabled).toEqual(createdOnce(enabled.answers[0]));
});

test('operators create a user once per key', async () => {
  const subjects = [newId(), newId()] as const;
  const created = await repeatCall({ operator: 'dana' }, (options, isOther) =>
    identity.admin.EnsureUser({ issuer: identity.issuer.issuer, subject: subjects[isOther ? 1 : 0] }, options),
  );
  expect(created).toEqual(createdOnce(created.answers[0]));
  const known = await identity.service.sql<{ subject: string }>(
    'select subject from app_user where subject = any($1::text[])',
    [[...subjects]],
  );
  expect(known).toEqual([{ subject: subjects[0] }]);
});
