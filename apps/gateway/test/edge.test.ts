import { request as send } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { errorCodes, DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { eventually, catchFailure, startTestService } from '@saleschannel/testing';
import { service } from '../src/app.ts';
import { SESSION_LIFETIME_MS } from '../src/authentication/authenticator.ts';
import { expectProblem, newAgent, sendRaw } from './support/http.ts';
import { contract } from './support/public-contract.ts';
import { countAuthenticateCalls, startSystem, type System } from './support/system.ts';

let system: System;
/** The gateway's clock. It stands still, so sessions do not expire and rate limits do not recover. */
let nowMs = 0;
const start = async (variables: Record<string, string> = {}): Promise<System> =>
  (system = await startSystem(variables, { now: () => nowMs }));
afterEach(() => system.stop());

const get = (path: string, headers: Record<string, string> = {}) => system.raw({ path, headers });

/** Sends half of the body of a new trader. `end` sends the rest and returns the status. */
function startTrader(authorization: string): { end(): Promise<number> } {
  const [host = '', port = ''] = system.address.split(':');
  const headers = { Authorization: authorization, 'Content-Type': 'application/json', 'Idempotency-Key': newId() };
  const path = '/saleschannel-services/v1/traders';
  const status = Promise.withResolvers<number>();
  const request = send({ host, port, agent: false, method: 'POST', path, headers }, (response) =>
    status.resolve(response.resume().statusCode ?? 0),
  );
  request.on('error', status.reject).write('{"businessId":"b",');
  return {
    end: () => {
      request.end('"name":"n","address":{}}');
      return status.promise;
    },
  };
}

describe('credentials', () => {
  test('are checked once per service, for any number of requests', async () => {
    await start();
    const calls = countAuthenticateCalls(system);
    const { authorization } = system.user();
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        system.call(index % 2 === 0 ? 'getSupplier' : 'startTrade', { as: authorization }),
      ),
    );
    expect(calls()).toBe(2);
    await system.call('getTradeTask', { as: authorization });
    expect(calls()).toBe(2);
  });

  test('of both kinds are accepted, but not in two headers', async () => {
    await start();
    const { authorization } = system.user();
    system.credentials.basic.set('k1:pass:wörd', {
      surface: 'SALES_CHANNEL',
      principal: { kind: 'user', userId: 'u1', salesChannelId: 'c1', roles: [], accountHolderId: undefined },
    });
    const basic = `Basic ${Buffer.from('k1:pass:wörd').toString('base64')}`;
    const callForStatus = async (header: string | string[]) =>
      (await system.call('getOwnBinding', { as: header as string })).status;
    expect([
      await callForStatus(authorization),
      await callForStatus(basic),
      await callForStatus([authorization, authorization]),
      await callForStatus([authorization, basic]),
    ]).toEqual([200, 200, 401, 401]);
  });

  test('that cannot be checked get 503, never 401', async () => {
    await start({ IDENTITY_ADDRESS: '127.0.0.1:1' });
    const answer = await system.call('getOwnBinding', { as: 'Bearer abc' });
    expectProblem(answer, 503, 'unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expectProblem(await system.call('getReadiness'), 503, 'unavailable');
    expect((await system.call('getHealth')).status).toBe(200);
  });

  test("that services reject are not the client's fault", async () => {
    await start();
    system.rpcs.rbac['GetOwnBinding'] = () => {
      throw new DomainError('unauthenticated', 'The internal token is not valid.');
    };
    system.rpcs.traders['ListTraders'] = async function* () {
      yield* [];
      throw new DomainError('unauthenticated', 'The internal token is not valid.');
    };
    for (const operation of ['getOwnBinding', 'listTraders'])
      expect(expectProblem(await system.call(operation), 500, 'internal')['detail']).not.toContain('token');
  });

  test('are checked again after a slow body', async () => {
    await start();
    const calls = countAuthenticateCalls(system);
    const { authorization } = system.user();
    const slow = startTrader(authorization);
    await eventually(async () => calls() === 1, 'the first call');
    nowMs += SESSION_LIFETIME_MS;
    expect([await slow.end(), calls()]).toEqual([201, 2]);
  });

  test('that are revoked during a slow body execute nothing', async () => {
    await start();
    const calls = countAuthenticateCalls(system);
    let created = 0;
    system.rpcs.traders['CreateTrader'] = () => {
      created += 1;
      throw new DomainError('internal', 'must not be called');
    };
    const { authorization } = system.user();
    const slow = startTrader(authorization);
    await eventually(async () => calls() === 1, 'the first call');
    system.credentials.bearer.clear();
    nowMs += SESSION_LIFETIME_MS;
    expect([await slow.end(), calls(), created]).toEqual([401, 2, 0]);
  });
});

describe('the rate limit', () => {
  test('is in every response to a user, and covers all their credentials', async () => {
    await start({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '3' });
    const { authorization, userId } = system.user({ roles: [] });
    system.credentials.bearer.set('second', {
      kind: 'user',
      userId,
      salesChannelId: 'c1',
      roles: [],
      accountHolderId: undefined,
    });
    const answers = [
      await system.call('getOwnBinding', { as: authorization }),
      await system.call('listEvents', { as: 'Bearer second' }),
      await system.call('getOwnBinding', { as: authorization, query: 'x=1' }),
      await system.call('listEvents', { as: 'Bearer second' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 400, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
      Array.from({ length: 4 }, () => '"user";q=3;w=3'),
    );
    expect(answers.map(({ headers }) => headers['ratelimit'])).toEqual([
      '"user";r=2;t=1',
      '"user";r=1;t=2',
      '"user";r=0;t=3',
      '"user";r=0;t=3',
    ]);
    expectProblem(answers[3] as never, 429, 'rate-limited');
    expect(answers[3]?.headers['retry-after']).toBe('1');
    expect((await system.call('getOwnBinding')).status).toBe(200);
  });

  test('of failed log-ins counts per address, and spares known credentials', async () => {
    await start({ FAILED_LOGINS_PER_MINUTE: '3', TRUSTED_PROXIES: 'loopback' });
    const { authorization } = system.user();
    const from = (address: string, as: string | undefined) =>
      system.call('getOwnBinding', { as, headers: { 'X-Forwarded-For': address } });
    expect((await from('192.0.2.1', authorization)).status).toBe(200);
    for (let index = 0; index < 3; index += 1)
      expectProblem(await from('192.0.2.1', `Bearer wrong${index}`), 401, 'unauthenticated');
    const refused = await from('192.0.2.1', 'Bearer wrong');
    expectProblem(refused, 429, 'rate-limited');
    expect(refused.headers['retry-after']).toBe('20');
    expect((await from('192.0.2.1', authorization)).status).toBe(200);
    expect((await from('192.0.2.1', undefined)).status).toBe(401);
    expect((await from('192.0.2.2', 'Bearer wrong')).status).toBe(401);
  });

  test('ignores X-Forwarded-For by default', async () => {
    await start({ FAILED_LOGINS_PER_MINUTE: '1' });
    const from = (address: string) =>
      system.call('getOwnBinding', { as: 'Bearer wrong', headers: { 'X-Forwarded-For': address } });
    expect([(await from('192.0.2.1')).status, (await from('192.0.2.2')).status]).toEqual([401, 429]);
  });
});

describe('pages', () => {
  test('of the documentation load nothing from elsewhere', async () => {
    await start();
    const page = await get('/docs');
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\/docs\//);
      const answer = await get(link);
      expect([answer.status, answer.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
      expect(answer.headers['content-type']).toMatch(
        link.endsWith('.css') ? /^text\/css/ : link.endsWith('.js') ? /^text\/javascript/ : /^image\/png/,
      );
    }
    expectProblem(await get('/docs/index.html'), 404, 'route-not-found');
    expectProblem(await get('/docs/../package.json'), 404, 'route-not-found');
    expectProblem(await system.raw({ method: 'POST', path: '/docs/start.js' }), 405, 'method-not-allowed');
  });

  test('start at /, which programs do not find', async () => {
    await start();
    const page = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('href="/docs"');
    for (const link of [...page.text.matchAll(/href="([^"]+)"/g)].map(([, path = 'none']) => path)) {
      expect([link, (await get(link)).status]).toEqual([link, 200]);
    }
    for (const accept of ['*/*', 'application/json', 'application/problem+json', 'text/plain']) {
      expectProblem(await get('/', { Accept: accept }), 404, 'route-not-found');
    }
    expectProblem(await system.raw({ method: 'POST', path: '/' }), 404, 'route-not-found');
  });

  test('describe each problem type', async () => {
    await start();
    for (const [code, { title }] of Object.entries(errorCodes)) {
      const page = await get(`/problems/${code}`);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain(`<h1>${title}</h1>`);
    }
    expectProblem(await get('/problems/other'), 404, 'route-not-found');
  });

  test('of the contract return it', async () => {
    await start();
    expect((await get('/openapi.yaml')).text).toBe(contract.text);
    expect(JSON.parse((await get('/openapi.json')).text)).toEqual(contract.document);
  });
});

describe('settings', () => {
  test('allow pages of named origins only', async () => {
    await start();
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
    expectProblem(
      await system.raw({ method: 'OPTIONS', path: '/healthz', headers: preflight }),
      405,
      'method-not-allowed',
    );
    expect((await get('/healthz', { Origin: 'https://app.example' })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    await system.stop();
    await start({ CORS_ORIGINS: 'https://app.example, https://other.example' });
    const allowed = await system.raw({
      method: 'OPTIONS',
      path: '/saleschannel-services/v1/traders',
      headers: preflight,
    });
    expect([allowed.status, allowed.headers['access-control-allow-origin'], allowed.headers.vary]).toEqual([
      204,
      'https://app.example',
      'Origin',
    ]);
    expect(allowed.headers['access-control-allow-headers']).toContain('Idempotency-Key');
    const answer = await get('/healthz', { Origin: 'https://other.example' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, 'https://other.example']);
    expect((await get('/healthz', { Origin: 'https://evil.example' })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    expectProblem(
      await system.raw({
        method: 'OPTIONS',
        path: '/healthz',
        headers: { ...preflight, Origin: 'https://evil.example' },
      }),
      405,
      'method-not-allowed',
    );
  });

  test('set Strict-Transport-Security: a year by default, another time, or none', async () => {
    const header = async () => (await get('/healthz')).headers['strict-transport-security'];
    await start();
    expect(await header()).toBe('max-age=31536000');
    expect((await get('/healthz')).headers['referrer-policy']).toBe('no-referrer');
    await system.stop();
    await start({ HSTS_MAX_AGE_SECONDS: '0' });
    expect(await header()).toBeUndefined();
  });

  test('set the maximum body size', async () => {
    await start({ BODY_BYTES_AT_MOST: '2000' });
    expectProblem(await system.call('startTrade', { body: ' '.repeat(2_001) }), 413, 'payload-too-large');
  });

  test('name the variable of a port in use', async () => {
    await start();
    const [, port = ''] = system.address.split(':');
    const services = ['IDENTITY', 'RBAC', 'TRADERS', 'INVENTORY', 'TASKS', 'EVENTS', 'WEBHOOKS', 'REGISTRY_IMPORT'];
    const addresses = [...services, 'SANDBOX'].map((name) => [`${name}_ADDRESS`, '127.0.0.1:1']);
    const error = await catchFailure(
      startTestService(service, {
        databaseUrl: 'postgresql://unused',
        variables: { ...Object.fromEntries(addresses), GATEWAY_PORT: port },
      }),
    );
    expect(error.message).toBe(`Port ${port} of 127.0.0.1 is in use. Set GATEWAY_PORT to a free port.`);
  });
});

test('a stopping gateway finishes open requests, and accepts no new ones', async () => {
  await start();
  const held = Promise.withResolvers<void>();
  let isCalled = false;
  system.rpcs.rbac['GetOwnBinding'] = async () => {
    isCalled = true;
    await held.promise;
    return { userId: 'u', salesChannelId: 'c', roles: [] };
  };
  const address = system.address;
  const agent = newAgent();
  const running = sendRaw(address, agent, {
    path: '/user-services/users/me/saleschannel-binding',
    headers: { Authorization: system.user().authorization },
  });
  await eventually(async () => isCalled);
  const stopping = system.stop();
  await eventually(
    () =>
      sendRaw(address, newAgent(), { path: '/healthz' }).then(
        () => false,
        () => true,
      ),
    'a closed port',
  );
  held.resolve();
  const answer = await running;
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
  agent.destroy();
  await stopping;
});
