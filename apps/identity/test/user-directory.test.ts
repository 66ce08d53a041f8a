import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { removeMarkers, callAs, catchFailure, asUser } from '@saleschannel/testing';
import { startIdentity, withToken, type Identity } from './support/identity.ts';

let identity: Identity;
let rbac: ServiceClient<'userDirectory'>;
beforeAll(async () => {
  identity = await startIdentity();
  rbac = await callAs('rbac', 'userDirectory', identity.service.address);
});
afterAll(async () => {
  rbac.close();
  await identity.stop();
});

const administrator = (salesChannelId = newId()) => asUser(salesChannelId, ['ROLE_ADMINISTRATOR']);
const claims = () => ({ issuer: identity.issuer.issuer, subject: newId() });

async function introductionsOf(userId: string, scope: string): Promise<unknown[]> {
  const client = await callAs('admin', 'auditLog', identity.service.address, 'identity');
  const { events } = await client.ListAuditEvents({ scope, range: { afterSequence: '0', limit: 5_000 } });
  client.close();
  return events.map(({ event }) => JSON.parse(event)).filter(({ subject }) => subject.id === userId);
}

test('a user introduced before their first token is found by it', async () => {
  const salesChannelId = newId();
  const user = claims();
  const { userId } = await identity.gateway.IntroduceUser(user, await administrator(salesChannelId));
  const principal = await identity.authenticate(withToken(await identity.issuer.token(user.subject)));
  expect(principal).toMatchObject({ kind: 'user', userId });
  expect(await introductionsOf(userId, 'installation')).toMatchObject([
    { action: 'identity.user.introduced', actor: { kind: 'user', salesChannelId }, after: { salesChannelId } },
  ]);
  expect(await introductionsOf(userId, salesChannelId)).toEqual([]);
});

test('a repeat, or a known user, returns only the id', async () => {
  const user = claims();
  const { id: userId } = await identity.admin.EnsureUser(user);
  await identity.admin.SetAccountHolder({ userId, accountHolderId: 'h1' });
  for (const options of [await administrator(), await administrator()])
    expect(await identity.gateway.IntroduceUser(user, options)).toEqual({ userId });
  expect(await introductionsOf(userId, 'installation')).toMatchObject([{ action: 'identity.user.account-holder-set' }]);
});

test('concurrent introductions and a first token create one user', async () => {
  for (let round = 0; round < 10; round++) {
    const user = claims();
    const [one, other] = [await administrator(), await administrator()];
    const token = withToken(await identity.issuer.token(user.subject));
    const [principal, ...answers] = await Promise.all([
      identity.authenticate(token),
      ...[one, other, one, other].map((options) => identity.gateway.IntroduceUser(user, options)),
    ]);
    const ids = new Set([...answers.map(({ userId }) => userId), principal.kind === 'user' && principal.userId]);
    expect(ids.size).toBe(1);
  }
});

test.each([
  ['https://other.example', 'x', [{ pointer: '#/issuer', code: 'issuer' }]],
  ['', 'x', [{ pointer: '#/issuer', code: 'minLength' }]],
  [undefined, '', [{ pointer: '#/subject', code: 'minLength' }]],
  [undefined, 'x'.repeat(256), [{ pointer: '#/subject', code: 'maxLength' }]],
  [undefined, 'a\nb', [{ pointer: '#/subject', code: 'pattern' }]],
])('the issuer %j with the subject %.5j is refused', async (issuer, subject, violations) => {
  const request = { issuer: issuer ?? identity.issuer.issuer, subject };
  expect(await catchFailure(identity.gateway.IntroduceUser(request, await administrator()))).toMatchObject({
    code: 'invalid-request',
    violations,
  });
});

test('a channel has a limit of introduced users who never signed in', async () => {
  const salesChannelId = newId();
  const options = await administrator(salesChannelId);
  await identity.service.sql(
    `insert into app_user (id, issuer, subject, introduced_by)
     select $1::text || n, $2, $1::text || n, $1 from generate_series(1, 1000) n`,
    [salesChannelId, identity.issuer.issuer],
  );
  const user = claims();
  expect(await catchFailure(identity.gateway.IntroduceUser(user, options))).toMatchObject({ code: 'request-refused' });
  await identity.gateway.IntroduceUser({ ...user, subject: `${salesChannelId}7` }, options);
  await identity.gateway.IntroduceUser(user, await administrator());
  await identity.service.sql('update app_user set last_seen_at = now() where id = $1', [`${salesChannelId}7`]);
  await identity.gateway.IntroduceUser(claims(), options);
});

test('an introduction requires the role, an active channel and the gateway', async () => {
  const attempt = async (options: Parameters<typeof identity.gateway.IntroduceUser>[1]) =>
    (await catchFailure(identity.gateway.IntroduceUser(claims(), options))).code;
  expect(await attempt(await asUser('c1', ['TRADER_ADMINISTRATOR']))).toBe('forbidden');
  expect(await attempt(await asUser(undefined, []))).toBe('forbidden');
  const suspended = await asUser('c1', ['ROLE_ADMINISTRATOR'], newId(), undefined, { isSuspended: true });
  expect(await attempt(suspended)).toBe('sales-channel-suspended');
  const client = await callAs('rbac', 'identity', identity.service.address);
  expect(await catchFailure(client.IntroduceUser(claims(), await administrator()))).toMatchObject({
    code: 'forbidden',
  });
  client.close();
});

const issuer = 'https://issuer.example';
const inAWeek = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString();

describe('EnsureUser', () => {
  test('creates a user once, even in concurrent calls', async () => {
    const subject = newId();
    const users = await Promise.all(Array.from({ length: 10 }, () => identity.admin.EnsureUser({ issuer, subject })));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(users[0]).toMatchObject({ issuer, subject });
    expect(users[0]?.accountHolderId).toBeUndefined();
  });

  test('the same subject at two issuers is two users', async () => {
    const subject = newId();
    const one = await identity.admin.EnsureUser({ issuer, subject });
    const other = await identity.admin.EnsureUser({ issuer: `${issuer}/`, subject });
    expect(other.id).not.toBe(one.id);
  });

  test.each([
    [{ issuer: '', subject: 'x' }, 'issuer', 'minLength'],
    [{ issuer: 'x'.repeat(501), subject: 'x' }, 'issuer', 'maxLength'],
    [{ issuer, subject: '' }, 'subject', 'minLength'],
    [{ issuer, subject: 'a\u0000' }, 'subject', 'nul-character'],
    [{ issuer, subject: 'a\u001fb' }, 'subject', 'pattern'],
    [{ issuer, subject: 'x'.repeat(256) }, 'subject', 'maxLength'],
  ])('%j is refused', async (request, parameter, code) => {
    expect(await catchFailure(identity.admin.EnsureUser(request))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter, code }],
    });
  });
});

describe('GetUser', () => {
  test('rbac reads a user', async () => {
    const user = await identity.admin.EnsureUser({ issuer, subject: newId() });
    expect(removeMarkers(await rbac.GetUser({ userId: user.id }))).toEqual(removeMarkers(user));
  });

  test.each([newId(), '', 'x', 'a\u0000'])('an unknown user is not found: %j', async (userId) => {
    expect(await catchFailure(rbac.GetUser({ userId }))).toMatchObject({ code: 'not-found' });
  });

  test('forbidden: admin', async () => {
    expect(await catchFailure(identity.admin.GetUser({ userId: newId() }))).toMatchObject({ code: 'forbidden' });
  });
});

describe('SetAccountHolder', () => {
  test('assigns a user to an account holder, to another, and to none', async () => {
    const { id: userId } = await identity.admin.EnsureUser({ issuer, subject: newId() });
    expect(await identity.admin.SetAccountHolder({ userId, accountHolderId: 'h1' })).toMatchObject({
      accountHolderId: 'h1',
    });
    expect(await identity.admin.SetAccountHolder({ userId, accountHolderId: 'h2' })).toMatchObject({
      accountHolderId: 'h2',
    });
    expect(await rbac.GetUser({ userId })).toMatchObject({ accountHolderId: 'h2' });
    expect((await identity.admin.SetAccountHolder({ userId })).accountHolderId).toBeUndefined();
    expect((await rbac.GetUser({ userId })).accountHolderId).toBeUndefined();
  });

  test.each([newId(), '', 'a\u0000'])('an unknown user is not found: %j', async (userId) => {
    const request = { userId, accountHolderId: 'h1' };
    expect(await catchFailure(identity.admin.SetAccountHolder(request))).toMatchObject({ code: 'not-found' });
  });

  test.each([
    ['', 'minLength'],
    ['x'.repeat(129), 'maxLength'],
    ['a\u0000', 'nul-character'],
    ['a\nb', 'pattern'],
  ])('the account holder %j is refused, and the user keeps theirs', async (accountHolderId, code) => {
    const { id: userId } = await identity.admin.EnsureUser({ issuer, subject: newId() });
    await identity.admin.SetAccountHolder({ userId, accountHolderId: 'h1' });
    expect(await catchFailure(identity.admin.SetAccountHolder({ userId, accountHolderId }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'accountHolderId', code }],
    });
    expect(await rbac.GetUser({ userId })).toMatchObject({ accountHolderId: 'h1' });
  });
});

describe('keys issued by an operator', () => {
  test('an unknown user gets no key', async () => {
    for (const userId of [newId(), ''])
      expect(await catchFailure(identity.admin.IssueApiKey({ userId }))).toMatchObject({ code: 'not-found' });
  });

  test('a registry key needs an account holder and an expiry in range', async () => {
    expect(
      await catchFailure(identity.admin.IssueRegistryKey({ accountHolderId: '', expiresAt: 'tomorrow' })),
    ).toMatchObject({
      code: 'invalid-request',
      violations: [
        { parameter: 'accountHolderId', code: 'minLength' },
        { pointer: '#/expiresAt', code: 'format' },
      ],
    });
    expect(
      await catchFailure(identity.admin.IssueRegistryKey({ accountHolderId: '', expiresAt: inAWeek() })),
    ).toMatchObject({ code: 'invalid-request', violations: [{ parameter: 'accountHolderId' }] });
    const failure = await catchFailure(
      identity.admin.IssueRegistryKey({ accountHolderId: 'h1', expiresAt: '2020-01-01T00:00:00Z' }),
    );
    expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ code: 'expiry-past' }] });
  });
});

test.each(['gateway', 'traders', 'registry-import', 'rbac'] as const)('%s may not administer users', async (caller) => {
  const client = await callAs(caller, 'userDirectory', identity.service.address);
  const { id: userId } = await identity.admin.EnsureUser({ issuer, subject: newId() });
  expect(await catchFailure(client.EnsureUser({ issuer, subject: 'x' }))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.SetAccountHolder({ userId, accountHolderId: 'h' }))).toMatchObject({
    code: 'forbidden',
  });
  expect(await catchFailure(client.IssueApiKey({ userId }))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.IssueRegistryKey({ accountHolderId: 'h', expiresAt: inAWeek() }))).toMatchObject({
    code: 'forbidden',
  });
  if (caller !== 'rbac') expect(await catchFailure(client.GetUser({ userId }))).toMatchObject({ code: 'forbidden' });
  client.close();
});
