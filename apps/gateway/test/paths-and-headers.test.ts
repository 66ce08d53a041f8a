import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { talk, expectProblem } from './support/http.ts';
import { startSystem, type System, type User } from './support/system.ts';

let system: System;
let user: User;
beforeAll(async () => {
  system = await startSystem();
  user = system.user({ accountHolderId: 'h1' });
});
afterAll(() => system.stop());

describe('a path', () => {
  test.each([
    '/nowhere',
    '/saleschannel-services/v1/traders/',
    '/Saleschannel-services/v1/traders',
    '/registry/api/account-holders',
    '//healthz',
    '/healthz/',
    '/%zz',
    '/saleschannel-services/v1/traders/%ff',
    '/saleschannel-services/v1/traders/a/b',
    '/saleschannel-services/v1/traders//inventory',
    '/',
  ])('%s is unknown, with and without credentials', async (path) => {
    for (const headers of [{}, { Authorization: user.authorization }] as Record<string, string>[]) {
      const answer = await system.raw({ path, headers });
      expectProblem(answer, 404, 'route-not-found');
    }
  });

  test.each([
    'unknown',
    '%00',
    'a%00b',
    'x'.repeat(500),
    '%20',
    '..%2f..',
    '%F0%9F%98%80',
    '"',
    '<script>',
    "'; drop table traders --".replaceAll(' ', '%20'),
  ])('with the id %s is looked up, not validated', async (id) => {
    const rpc = system.rpcs.traders['GetTrader'];
    delete system.rpcs.traders['GetTrader'];
    const answer = await system.raw({
      path: `/saleschannel-services/v1/traders/${id}`,
      headers: { Authorization: user.authorization },
    });
    if (rpc) system.rpcs.traders['GetTrader'] = rpc;
    const { detail } = expectProblem(answer, 404, 'not-found');
    expect(detail).toBe('The resource does not exist or is not visible to you.');
  });

  test('with a malformed code is invalid for a write, and not found for a read', async () => {
    const answer = await system.call('putFacility', { path: { code: 'seven77' } });
    expect(expectProblem(answer, 400, 'invalid-request').errors).toEqual([
      expect.objectContaining({ parameter: 'code', code: 'pattern' }),
    ]);
  });
});

describe('a request id', () => {
  test('is used if it is well-formed, passed on, and returned', async () => {
    let passedOn: string | undefined;
    system.rpcs.inventory['GetSupplier'] = (_request, call) => {
      passedOn = call.requestId;
      return { id: 's1', name: 'x', countryCode: 'NO' };
    };
    const answer = await system.call('getSupplier', { headers: { 'X-Request-Id': 'order-7.retry_1' } });
    expect([answer.headers['x-request-id'], passedOn]).toEqual(['order-7.retry_1', 'order-7.retry_1']);
  });

  test.each([['', 'a b', 'x'.repeat(129), 'ä', 'a,b', ['a', 'b']]])('%j is replaced', async (...ids) => {
    for (const id of ids) {
      const answer = await system.call('getHealth', { headers: { 'X-Request-Id': id } });
      expect(answer.headers['x-request-id']).toMatch(/^c[0-9a-z]{24}$/);
    }
  });
});

describe('invalid HTTP', () => {
  test.each<[string, string, number, string]>([
    ['nonsense', 'hello\r\n\r\n', 400, 'malformed-request'],
    [
      'a header block of 20 KiB',
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
    [
      'two lengths',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
      'malformed-request',
    ],
    [
      'a length and chunks',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'malformed-request',
    ],
    ['an unknown method', 'FETCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed-request'],
  ])('%s gets a problem and a closed connection', async (_what, bytes, status, code) => {
    const answer = await talk(system.address, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^Referrer-Policy: no-referrer\r$/m);
    const problem = JSON.parse(answer.slice(answer.indexOf('{'))) as object;
    expect(problem).toMatchObject({ type: `/problems/${code}`, status });
    expect((await system.raw({ path: `/problems/${code}` })).status).toBe(200);
  });

  test('an unknown expectation is ignored', async () => {
    const answer = await system.raw({ path: '/healthz', headers: { Expect: 'tea' } });
    expect(answer.status).toBe(200);
  });
});
