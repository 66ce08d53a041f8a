import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { removeMarkers, callAs, catchFailure } from '@saleschannel/testing';
import { startIdentity, type Identity } from './support/identity.ts';

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
