import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessRules, roles, type OperationId, type Role } from '@saleschannel/auth';
import { expectProblem } from './support/expectations.ts';
import { operations } from './support/public-contract.ts';
import { buildRequest, startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const guarded = operations.filter((operation) => operation.access['principal'] !== 'public');

test.each(guarded)('$id has the access rule of libs/auth', ({ id, access: promised }) => {
  const rule = accessRules[id as OperationId];
  expect(promised).toEqual({ roles: [], ...rule });
});

test('every access rule belongs to an operation of the contract', () => {
  expect(guarded.map(({ id }) => id).toSorted()).toEqual(Object.keys(accessRules).toSorted());
});

describe.each(operations)('$id', (operation) => {
  const { id, path, method } = operation;
  const rule = operation.access['principal'] === 'public' ? undefined : accessRules[id as OperationId];

  test('answers by its contract', async () => {
    const answer = await system.call(id);
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w.-]{1,128}$/),
    });
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('etag');
  });

  test('rejects an unknown query parameter by name', async () => {
    const answer = await system.call(id, { query: 'tpyo=1' });
    const problem = expectProblem(answer, 400, 'invalid-request');
    expect(problem.errors).toContainEqual(expect.objectContaining({ parameter: 'tpyo', code: 'unknown-parameter' }));
  });

  test('is refused on a suspended channel if it is a write, before its form is checked', async () => {
    if (rule?.principal !== 'user') return;
    const { authorization } = system.user({ accountHolderId: 'h1', isSuspended: true });
    const answer = await system.raw(
      buildRequest(operation, { as: authorization, query: 'tpyo=1' }, () => authorization),
    );
    if ('changes' in rule) expectProblem(answer, 403, 'sales-channel-suspended');
    else expectProblem(answer, 400, 'invalid-request');
  });

  test('answers 405 to methods it does not have', async () => {
    const allowed = operations.filter((other) => other.path === path).map((other) => other.method);
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (name) => !allowed.includes(name),
    )) {
      const answer = await system.raw({
        ...buildRequest(operation, { as: undefined, body: undefined }, () => undefined),
        method: other,
      });
      expectProblem(answer, 405, 'method-not-allowed');
      expect(answer.headers.allow).toBe(
        allowed.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])).join(', '),
      );
    }
  });

  if (method === 'GET') {
    test('answers HEAD like GET, without the body', async () => {
      const request = buildRequest(
        operation,
        {},
        () =>
          (rule?.principal === 'registry' ? system.registryKey() : system.user({ accountHolderId: 'h1' }))
            .authorization,
      );
      const [get, head] = [await system.raw(request), await system.raw({ ...request, method: 'HEAD' })];
      expect([head.status, head.headers['content-type'], head.text]).toEqual([
        get.status,
        get.headers['content-type'],
        '',
      ]);
    });
  }

  if (rule === undefined) return;

  test('answers 401 without credentials, before any other fault', async () => {
    for (const query of ['', 'tpyo=1']) {
      const answer = await system.call(id, {
        as: undefined,
        query,
        body: operation.mediaType === undefined ? undefined : '{',
      });
      expectProblem(answer, 401, 'unauthenticated');
      const challenge =
        rule.principal === 'registry'
          ? /^Basic realm="[\w-]+", charset="UTF-8"$/
          : /^Bearer realm="[\w-]+", Basic realm="[\w-]+", charset="UTF-8"$/;
      expect(answer.headers['www-authenticate']).toMatch(challenge);
    }
  });

  test('does not accept the credentials of the other API', async () => {
    const other = rule.principal === 'registry' ? system.user() : system.registryKey();
    expectProblem(await system.call(id, { as: other.authorization }), 401, 'unauthenticated');
  });

  if (rule.principal !== 'user' || rule.roles.length === 0 || 'self' in rule) return;

  test('answers 403 without the role, before any other fault', async () => {
    const needed: readonly Role[] = rule.roles;
    const { authorization } = system.user({ roles: roles.filter((role) => !needed.includes(role)) });
    const answer = await system.call(id, {
      as: authorization,
      query: 'tpyo=1',
      headers: { 'Content-Type': 'text/plain' },
      body: operation.mediaType === undefined ? undefined : '{',
    });
    expectProblem(answer, 403, 'forbidden');
  });

  test.each(rule.roles)('accepts %s', async (role) => {
    expect((await system.call(id, { as: system.user({ roles: [role] }).authorization })).status).toBeLessThan(300);
  });
});
