import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessRules, roles as allRoles, type Principal, type Role, type SignIn } from '@saleschannel/auth';
import { createLogger } from '@saleschannel/runtime';
import { requireRecentSignIn, SignInTooOld } from '../src/authentication/credentials.ts';
import { expectProblem } from './support/http.ts';
import { operations } from './support/public-contract.ts';
import { buildRequest, startSystem, type System, type User } from './support/system.ts';

/** Operations with `fresh` seconds reject an old sign-in of a user (RFC 9470). Programs have none. */

const HOUR_MS = 3_600_000;
const FRESH_SECONDS = 900;

let system: System;
const lines: unknown[] = [];
beforeAll(async () => {
  const securityLogger = createLogger('gateway', 'fatal', { write: (text: string) => lines.push(JSON.parse(text)) });
  system = await startSystem({ RATE_LIMIT_BURST: '1000' }, { securityLogger });
});
afterAll(() => system.stop());

const freshOperations = operations.filter(({ access }) => access['fresh'] !== undefined);
const ids = freshOperations.map(({ id }) => id);

const ofUsers = operations.filter(({ access }) => access['principal'] === 'user');

/** A user whose sign-in identity reports. */
function person(signIn: SignIn | undefined, roles: readonly Role[] = allRoles): User {
  const user = system.user({ accountHolderId: 'h1', roles });
  const token = user.authorization.replace('Bearer ', '');
  const principal = system.credentials.bearer.get(token);
  if (principal?.kind !== 'user') throw new Error('no user');
  system.credentials.bearer.set(token, { ...principal, signIn });
  return user;
}

const longAgo = (): SignIn => ({ atMs: Date.now() - HOUR_MS });
const justNow = (): SignIn => ({ atMs: Date.now() });

const MOVES = 'startTrade startRetirement startOfframp onrampHoldings';
const DECIDES = 'acceptProposal rejectProposal approveHolderTransaction rejectHolderTransaction';
/** Sets the automatic approval of sales. */
const APPROVAL = 'updateOwnHolder';
const KEYS = 'createApiKey deleteApiKey createRegistryKey deleteRegistryKey';
const RIGHTS = 'bindUser unbindUser grantRole removeRole createInvitation acceptInvitation revokeInvitation';
const WEBHOOKS = 'createWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret';
const STATEMENTS = 'updateStatement';

test('applies to operations that move certificates or grant rights', () => {
  const named = [MOVES, DECIDES, APPROVAL, KEYS, RIGHTS, WEBHOOKS, STATEMENTS].join(' ').split(' ');
  expect(ids.toSorted()).toEqual(named.toSorted());
  for (const { access } of freshOperations) expect(access).toMatchObject({ principal: 'user', fresh: FRESH_SECONDS });
});

describe.each(freshOperations)('$id', (operation) => {
  const { id } = operation;

  test('requires a recent sign-in of a user, before the form is checked', async () => {
    const { authorization } = person(longAgo());
    const answer = await system.raw(
      buildRequest(operation, { as: authorization, query: 'tpyo=1' }, () => authorization),
    );
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", ' +
        'error_description="A more recent or stronger sign-in is required", max_age="900"',
    );
  });

  test('accepts a recent sign-in, and users without a requirement', async () => {
    for (const signIn of [justNow(), undefined]) {
      const answer = await system.call(id, { as: person(signIn).authorization });
      expect(answer.status).toBeLessThan(300);
    }
  });

  test('requires the missing authentication context', async () => {
    const { authorization } = person({ ...justNow(), wantedAcrs: ['mfa', 'phr'] });
    const answer = await system.call(id, { as: authorization });
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers['www-authenticate']).toMatch(/, max_age="900", acr_values="mfa phr"$/);
  });
});

test('no other operation requires it', async () => {
  const others = ofUsers.filter(({ id }) => !ids.includes(id));
  expect(others.length).toBeGreaterThan(40);
  for (const { id } of others) {
    const answer = await system.call(id, { as: person(longAgo()).authorization });
    expect({ id, isAnswered: answer.status < 300 }).toEqual({ id, isAnswered: true });
  }
});

test('a missing role is reported before an old sign-in', async () => {
  const { authorization } = person(longAgo(), []);
  expectProblem(await system.call('startTrade', { as: authorization }), 403, 'forbidden');
});

test('a cached principal is rejected once its sign-in is too old', () => {
  const principal = system.credentials.bearer.get(person({ atMs: 1_000 }).authorization.replace('Bearer ', ''));
  const judge = (nowMs: number) => () => requireRecentSignIn(accessRules.startTrade, principal as Principal, nowMs);
  expect(judge(1_000 + FRESH_SECONDS * 1_000)).not.toThrow();
  expect(judge(1_001 + FRESH_SECONDS * 1_000)).toThrow(SignInTooOld);
});

test('the security log distinguishes it from invalid credentials', async () => {
  const { authorization, userId } = person(longAgo());
  await system.call('grantRole', { as: authorization });
  expect(lines).toContainEqual(
    expect.objectContaining({
      event: 'authz_fail',
      reason: 'sign-in-too-old',
      operation: 'grantRole',
      actor: `user ${userId}`,
    }),
  );
});

describe('requests of other sites', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ CORS_ORIGINS: 'https://app.example' });
  });
  afterAll(() => system.stop());

  /** Sends a request like a browser with stored credentials. */
  const send = (headers: Record<string, string>, operation = 'createApiKey') => system.call(operation, { headers });
  const CROSS = { 'Sec-Fetch-Site': 'cross-site' };

  describe('a write', () => {
    test.each<[string, Record<string, string>]>([
      ['another site', CROSS],
      ['another site with a form', { ...CROSS, Origin: 'https://evil.example' }],
      ['a sandboxed frame', { ...CROSS, Origin: 'null' }],
      ['another host of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.example' }],
      ['another origin in an old browser', { Origin: 'https://evil.example' }],
      ['no origin in an old browser', { Origin: 'null' }],
      ['an unknown value', { 'Sec-Fetch-Site': 'elsewhere' }],
    ])('from %s is rejected', async (_what, headers) => {
      const { detail } = expectProblem(await send(headers), 403, 'forbidden');
      expect(detail).toContain('another origin');
      for (const operation of ['grantRole', 'deleteApiKey', 'updateTrader', 'putFacility'])
        expectProblem(await send(headers, operation), 403, 'forbidden');
    });

    test.each<[string, Record<string, string>]>([
      ['a program', {}],
      ['an allowed origin', { ...CROSS, Origin: 'https://app.example' }],
      ['an allowed origin of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://app.example' }],
      ['our own page', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://127.0.0.1:8080' }],
      ['our own page in an old browser', { Origin: 'http://api.example', Host: 'api.example' }],
    ])('from %s is executed', async (_what, headers) => {
      expect((await send(headers)).status).toBe(201);
    });

    test('needs credentials first', async () => {
      expectProblem(await system.call('createApiKey', { as: undefined, headers: CROSS }), 401, 'unauthenticated');
    });
  });

  test('a read from any site is answered', async () => {
    expect((await send({ ...CROSS, Origin: 'https://evil.example' }, 'listOwnApiKeys')).status).toBe(200);
  });

  test('a 403 names the missing role or account holder', async () => {
    const { authorization: as } = system.user({ roles: [] });
    const callForDetail = async (operation: string) =>
      expectProblem(await system.call(operation, { as }), 403, 'forbidden')['detail'];
    expect(await callForDetail('listTraders')).toMatch(/role on a sales channel/);
    expect(await callForDetail('listRegistryKeys')).toMatch(/account holder/);
    expect(await callForDetail('createRegistryKey')).not.toMatch(/role/);
  });
});
