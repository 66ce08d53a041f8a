import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessRules, roles, type OperationId, type Role } from '@saleschannel/auth';
import { expectProblem } from './support/http.ts';
import { operations, resolve } from './support/public-contract.ts';
import { buildRequest, startSystem, type System } from './support/system.ts';
import { webhookEndpoint } from './support/samples.ts';

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

describe('outside a sandbox', () => {
  /** An installation that is not a sandbox. */

  let system: System;

  beforeAll(async () => {
    system = await startSystem({ SANDBOX: 'false' });
  });
  afterAll(() => system.stop());

  test.each(['triggerSandboxEvent', 'resetSandbox'])('%s is not found, without a call', async (operation) => {
    const calls: unknown[] = [];
    system.rpcs.sandbox = { Trigger: (request) => calls.push(request), Reset: (request) => calls.push(request) };
    const answer = await system.call(operation);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject({ type: '/problems/not-found' });
    expect(answer.headers['sandbox']).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test('a missing role is reported first, as for all operations', async () => {
    const { authorization: as } = system.user({ roles: ['ASSET_VIEWER'] });
    expect(await system.call('triggerSandboxEvent', { as })).toMatchObject({ status: 403 });
    expect(await system.call('resetSandbox', { as })).toMatchObject({ status: 403 });
  });

  test('responses have no Sandbox header', async () => {
    for (const operation of ['getHealth', 'listTraders', 'getStatementKeys'])
      expect((await system.call(operation)).headers['sandbox']).toBeUndefined();
  });
});

describe('idempotency keys', () => {
  const requestWith = (key: string) => ({
    headers: { 'Idempotency-Key': key },
    body: { url: 'https://hooks.example/in' },
  });

  test('the service gets the key, and marks repeated responses', async () => {
    const keys: (string | undefined)[] = [];
    system.rpcs.webhooks['CreateEndpoint'] = (_request, call) => {
      if (keys.includes(call.idempotencyKey)) call.markReplayed();
      keys.push(call.idempotencyKey);
      return { endpoint: webhookEndpoint, secret: 'whsec_eA==' };
    };
    const first = await system.call('createWebhookEndpoint', requestWith('key-1'));
    const second = await system.call('createWebhookEndpoint', requestWith('key-1'));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(keys).toEqual(['key-1', 'key-1']);
  });

  test.each(['', 'two words', 'x'.repeat(65), 'ø'])('the key %j is rejected before any call', async (key) => {
    const answer = await system.call('createWebhookEndpoint', requestWith(key));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ parameter: 'Idempotency-Key' }] });
  });

  const posts = operations.filter(({ method }) => method === 'POST');
  /** Without effects, so a repeat is executed again. */
  const withoutEffect: readonly string[] = ['planTransfer'];
  /** Batched: their keys are in the transfers of the call. */
  const gathered: readonly string[] = ['startTrade', 'startRetirement', 'startOfframp'];

  describe.each(posts)('$id', ({ id, parameters, raw }) => {
    test('accepts an Idempotency-Key, and marks repeated responses', () => {
      const key = parameters.find(({ name }) => name === 'Idempotency-Key');
      expect(key).toMatchObject({ in: 'header', schema: { pattern: String.raw`^[\w-]{1,64}$` } });
      const successes = Object.entries(raw.responses).filter(([status]) => status.startsWith('2'));
      for (const [, success] of successes) {
        const names = Object.keys(resolve(success).headers ?? {});
        expect(names.includes('Idempotency-Replayed')).toBe(!withoutEffect.includes(id));
      }
    });

    test('passes on the key, and returns the mark', async () => {
      if (gathered.includes(id) || withoutEffect.includes(id)) return;
      const keys = new Set<string | undefined>();
      const usual = Object.entries(system.rpcs).map(([service, table]) => [service, { ...table }] as const);
      for (const [service, table] of usual) {
        for (const [name, rpc] of Object.entries(table)) {
          if (name === 'Authenticate') continue;
          system.rpcs[service as keyof System['rpcs']][name] = (request, call) => {
            keys.add(call.idempotencyKey);
            call.markReplayed();
            return rpc(request, call);
          };
        }
      }
      const answer = await system.call(id, { headers: { 'Idempotency-Key': `key-of-${id}` } });
      for (const [service, table] of usual) Object.assign(system.rpcs[service as keyof System['rpcs']], table);
      expect([...keys]).toEqual([`key-of-${id}`]);
      expect(answer.headers['idempotency-replayed']).toBe('true');
    });

    test('rejects an invalid key', async () => {
      const answer = await system.call(id, { headers: { 'Idempotency-Key': 'two words' } });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ parameter: 'Idempotency-Key' }] });
    });
  });
});
