import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '@saleschannel/contracts';
import { newId } from '@saleschannel/primitives';
import { readEnvironment } from '@saleschannel/runtime';
import { callAs, failureOf, identityVariables } from '@saleschannel/testing';
import { environment } from '../src/environment.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const issuer = 'https://issuer.example';
const inAWeek = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString();

describe('EnsureUser', () => {
  test('makes a user known once, also for calls at the same time', async () => {
    const subject = newId();
    const users = await Promise.all(Array.from({ length: 10 }, () => harness.admin.EnsureUser({ issuer, subject })));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(users[0]).toMatchObject({ issuer, subject });
    expect(users[0]!.accountHolderId).toBeUndefined();
  });

  test('the same subject of two issuers is two users', async () => {
    const subject = newId();
    const one = await harness.admin.EnsureUser({ issuer, subject });
    const other = await harness.admin.EnsureUser({ issuer: `${issuer}/`, subject });
    expect(other.id).not.toBe(one.id);
  });

  test.each([
    [{ issuer: '', subject: 'x' }, 'issuer'],
    [{ issuer: 'x'.repeat(501), subject: 'x' }, 'issuer'],
    [{ issuer, subject: '' }, 'subject'],
    [{ issuer, subject: 'a\u0000' }, 'subject'],
    [{ issuer, subject: 'x'.repeat(256) }, 'subject'],
  ])('%j is refused', async (request, parameter) => {
    expect(await failureOf(harness.admin.EnsureUser(request))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter }],
    });
  });
});

describe('GetUser', () => {
  test.each(['rbac', 'admin'] as const)('%s reads a user', async (caller) => {
    const user = await harness.admin.EnsureUser({ issuer, subject: newId() });
    const client = await callAs(caller, services.userDirectory, harness.service.address);
    expect(await client.GetUser({ userId: user.id })).toEqual(user);
    client.close();
  });

  test.each([newId(), '', 'x', 'a\u0000'])('an unknown user is not found: %j', async (userId) => {
    expect(await failureOf(harness.admin.GetUser({ userId }))).toMatchObject({ code: 'not-found' });
  });
});

describe('SetAccountHolder', () => {
  test('ties a user to an account holder, to another, and to none', async () => {
    const { id: userId } = await harness.admin.EnsureUser({ issuer, subject: newId() });
    expect(await harness.admin.SetAccountHolder({ userId, accountHolderId: 'h1' })).toMatchObject({
      accountHolderId: 'h1',
    });
    expect(await harness.admin.SetAccountHolder({ userId, accountHolderId: 'h2' })).toMatchObject({
      accountHolderId: 'h2',
    });
    expect(await harness.admin.GetUser({ userId })).toMatchObject({ accountHolderId: 'h2' });
    expect((await harness.admin.SetAccountHolder({ userId, accountHolderId: '' })).accountHolderId).toBeUndefined();
  });

  test('refuses an unknown user and a malformed account holder', async () => {
    expect(await failureOf(harness.admin.SetAccountHolder({ userId: newId(), accountHolderId: 'h1' }))).toMatchObject({
      code: 'not-found',
    });
    const { id: userId } = await harness.admin.EnsureUser({ issuer, subject: newId() });
    expect(await failureOf(harness.admin.SetAccountHolder({ userId, accountHolderId: 'a\u0000' }))).toMatchObject({
      code: 'invalid-request',
    });
  });
});

describe('keys by an operator', () => {
  test('an unknown user gets no key', async () => {
    for (const userId of [newId(), ''])
      expect(await failureOf(harness.admin.IssueApiKey({ userId }))).toMatchObject({ code: 'not-found' });
  });

  test('a registry key needs an account holder and an expiry in range', async () => {
    expect(
      await failureOf(harness.admin.IssueRegistryKey({ accountHolderId: '', expiresAt: inAWeek() })),
    ).toMatchObject({ code: 'invalid-request' });
    const failure = await failureOf(
      harness.admin.IssueRegistryKey({ accountHolderId: 'h1', expiresAt: '2020-01-01T00:00:00Z' }),
    );
    expect(failure).toMatchObject({ code: 'invalid-request', violations: [{ code: 'expiry-past' }] });
  });
});

test.each(['gateway', 'traders', 'registry-import', 'rbac'] as const)('%s may not administer users', async (caller) => {
  const client = await callAs(caller, services.userDirectory, harness.service.address);
  const { id: userId } = await harness.admin.EnsureUser({ issuer, subject: newId() });
  expect(await failureOf(client.EnsureUser({ issuer, subject: 'x' }))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(client.SetAccountHolder({ userId, accountHolderId: 'h' }))).toMatchObject({
    code: 'forbidden',
  });
  expect(await failureOf(client.IssueApiKey({ userId }))).toMatchObject({ code: 'forbidden' });
  expect(await failureOf(client.IssueRegistryKey({ accountHolderId: 'h', expiresAt: inAWeek() }))).toMatchObject({
    code: 'forbidden',
  });
  if (caller !== 'rbac') expect(await failureOf(client.GetUser({ userId }))).toMatchObject({ code: 'forbidden' });
  client.close();
});

describe('the environment', () => {
  const variables = {
    ...identityVariables('identity'),
    DATABASE_URL: 'postgres://localhost/identity',
    AMQP_URL: 'amqp://localhost',
    RBAC_ADDRESS: 'localhost:1',
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: 'a',
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
  };

  test('has defaults for the algorithms', () => {
    expect(readEnvironment(environment, variables).OIDC_ALGORITHMS).toEqual(['ES256', 'RS256', 'EdDSA', 'PS256']);
  });

  test.each([
    [{ API_KEY_PEPPER: randomBytes(31).toString('base64') }, 'API_KEY_PEPPER must be at least 32'],
    [{ API_KEY_PEPPER: 'not base64 at all, however long this text may be, and it is long' }, 'API_KEY_PEPPER'],
    [{ OIDC_ALGORITHMS: 'ES256,HS256' }, 'OIDC_ALGORITHMS'],
    [{ OIDC_ALGORITHMS: 'none' }, 'OIDC_ALGORITHMS'],
    [{ OIDC_ISSUER: 'issuer' }, 'OIDC_ISSUER'],
  ])('refuses %j', (change, message) => {
    expect(() => readEnvironment(environment, { ...variables, ...change })).toThrow(message);
  });
});
