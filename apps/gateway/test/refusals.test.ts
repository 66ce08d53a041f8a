import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { expectProblem, operationNamed } from './support/promised.ts';
import { startSystem, type System, type User } from './support/system.ts';

let system: System;
let user: User;
beforeAll(async () => {
  system = await startSystem();
  user = system.user({ accountHolderId: 'h1' });
});
afterAll(() => system.stop());

const trade = () =>
  structuredClone(operationNamed('startTrade').example) as { assets: Record<string, unknown>[] } & Record<
    string,
    unknown
  >;
const post = (body: string | Buffer, headers: Record<string, string | string[]> = {}, chunked = false) =>
  system.raw({
    method: 'POST',
    path: '/saleschannel-services/v1/traders/t1/inventory/trade',
    headers: {
      Authorization: user.authorization,
      'Content-Type': 'application/json',
      'Idempotency-Key': newId(),
      ...headers,
    },
    body,
    chunked,
  });

describe('a body', () => {
  test.each([
    ['the wrong media type', { 'Content-Type': 'text/plain' }],
    ['no media type', { 'Content-Type': '' }],
    ['two media types', { 'Content-Type': ['application/json', 'application/json'] }],
    ['a charset other than UTF-8', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['a merge patch where none is read', { 'Content-Type': 'application/merge-patch+json' }],
    ['compression', { 'Content-Encoding': 'gzip' }],
    ['an unknown coding', { 'Content-Encoding': 'identity, br' }],
  ])('with %s gives 415', async (_what, headers) => {
    expectProblem(await post(JSON.stringify(trade()), headers), 415, 'unsupported-media-type');
  });

  test.each([
    ['application/json; charset=utf-8', {}],
    ['Application/JSON;charset="UTF-8"', {}],
    ['application/json', { 'Content-Encoding': 'identity' }],
  ])('of type %s is read', async (type, headers) => {
    expect((await post(JSON.stringify(trade()), { 'Content-Type': type, ...headers })).status).toBe(201);
  });

  test.each([false, true])('of more than 1 MiB gives 413 (chunked: %s)', async (chunked) => {
    const problem = await post(Buffer.alloc(1_048_577, 0x20), {}, chunked);
    expectProblem(problem, 413, 'payload-too-large');
    expect(
      (await post(Buffer.concat([Buffer.from(JSON.stringify(trade())), Buffer.alloc(1_000_000, 0x20)]), {}, chunked))
        .status,
    ).toBe(201);
  });

  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['half an object', '{"assets":['],
    ['text', 'hello'],
    ['two values', '{}{}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a byte order mark', '\ufeff{}'],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['a raw NUL', '{"a":"\0"}'],
  ])('of %s is malformed', async (_what, body) => {
    expectProblem(await post(body), 400, 'malformed-body');
  });

  test.each<[string, string, string, string]>([
    ['a repeated member', '{"currency":"EUR","currency":"USD"}', '#/currency', 'repeated-member'],
    ['an inexact price', '{"assets":[{"unitPrice":0.12345678901234567891}]}', '#/assets/0/unitPrice', 'inexact-number'],
    ['an infinite price', '{"assets":[{"unitPrice":1e400}]}', '#/assets/0/unitPrice', 'inexact-number'],
    ['an escaped NUL', '{"buyerId":"a\\u0000"}', '#/buyerId', 'nul-character'],
    ['half a surrogate pair', '{"buyerId":"\\ud800"}', '#/buyerId', 'lone-surrogate'],
    ['21 levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, `#/a${'/0'.repeat(19)}`, 'too-deep'],
  ])('with %s is refused', async (_what, body, pointer, code) => {
    const { errors } = expectProblem(await post(body), 400, 'invalid-request');
    expect(errors).toEqual([{ pointer, code, detail: expect.any(String) }]);
  });

  test.each<[string, unknown, string, string]>([
    ['an unknown member', { ...trade(), note: 1 }, '#/note', 'unknown-member'],
    ['__proto__', JSON.parse('{"__proto__":{"x":1}}'), '#/__proto__', 'unknown-member'],
    ['a constructor', { ...trade(), constructor: {} }, '#/constructor', 'unknown-member'],
    ['no price', { ...trade(), assets: [{ start: 'a_1', end: 'a_2' }] }, '#/assets/0/unitPrice', 'required'],
    [
      'seven fraction digits',
      { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: 0.1234567 }] },
      '#/assets/0/unitPrice',
      'fraction-digits',
    ],
    [
      'a tiny price',
      { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: 1e-7 }] },
      '#/assets/0/unitPrice',
      'fraction-digits',
    ],
    [
      'a negative price',
      { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: -1 }] },
      '#/assets/0/unitPrice',
      'minimum',
    ],
    [
      'an unprefixed serial',
      { ...trade(), assets: [{ start: '1', end: 'a_2', unitPrice: 1 }] },
      '#/assets/0/start',
      'pattern',
    ],
    ['no assets', { ...trade(), assets: [] }, '#/assets', 'minItems'],
    ['a wrong currency', { ...trade(), currency: 'GBP' }, '#/currency', 'enum'],
    ['a list', [], '#', 'type'],
    ['null', null, '#', 'type'],
  ])('with %s is refused', async (_what, body, pointer, code) => {
    const { errors } = expectProblem(await post(JSON.stringify(body)), 400, 'invalid-request');
    expect(errors).toContainEqual({ pointer, code, detail: expect.any(String) });
  });

  test('with a thousand faults names twenty', async () => {
    const assets = Array.from({ length: 1_000 }, () => ({}));
    expect(
      expectProblem(await post(JSON.stringify({ ...trade(), assets })), 400, 'invalid-request').errors,
    ).toHaveLength(20);
  });

  test.each([
    '2025-02-29T00:00:00.000Z',
    '2016-12-31T23:59:60Z',
    '2024-01-01 00:00:00Z',
    '2024-01-01T00:00:00',
    '0000-01-01T00:00:00Z',
  ])('with the time %s is refused', async (start) => {
    const body = {
      ...(operationNamed('startRetirement').example as object),
      consumptionPeriod: { start, end: '2030-01-01T00:00:00Z' },
    };
    const { errors } = expectProblem(await system.call('startRetirement', { body }), 400, 'invalid-request');
    expect(errors).toEqual([{ pointer: '#/consumptionPeriod/start', code: 'format', detail: expect.any(String) }]);
  });

  test('that breaks off answers nobody and harms nothing', async () => {
    const socket = connect(Number(system.address.split(':')[1]), '127.0.0.1');
    const head = [
      'POST /authentication/users/me/api-keys HTTP/1.1',
      'Host: x',
      `Authorization: ${user.authorization}`,
      'Content-Length: 100',
      '',
      '',
    ];
    socket.write(`${head.join('\r\n')}{"half":`, () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await system.call('getHealth')).status).toBe(200);
  });
});

describe('where no body belongs', () => {
  test.each(['createApiKey', 'acceptProposal', 'listEvents', 'deleteApiKey'])(
    '%s tolerates none and an empty object',
    async (operation) => {
      for (const body of [undefined, '', '{}', ' { } '])
        expect(
          (await system.call(operation, { body, headers: { 'Content-Type': 'application/json' } })).status,
        ).toBeLessThan(300);
    },
  );

  test.each(['{"a":1}', '[]', 'x', 'x'.repeat(2_000)])('%s is refused', async (body) => {
    expectProblem(await system.call('createApiKey', { body }), 400, 'invalid-request');
  });
});

describe('an Idempotency-Key', () => {
  test.each([['startTrade'], ['startRetirement'], ['startOfframp'], ['createTrader']])(
    'of %s is required and has a form',
    async (operation) => {
      for (const key of ['', 'a b', 'x'.repeat(65), 'ä', 'a,b', ['a', 'b']]) {
        const { errors } = expectProblem(
          await system.call(operation, { headers: { 'Idempotency-Key': key } }),
          400,
          'invalid-request',
        );
        expect(errors).toEqual([expect.objectContaining({ parameter: 'Idempotency-Key' })]);
      }
    },
  );

  test('left out is named', async () => {
    const answer = await system.raw({
      method: 'POST',
      path: '/saleschannel-services/v1/traders',
      headers: { Authorization: user.authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(operationNamed('createTrader').example),
    });
    expect(expectProblem(answer, 400, 'invalid-request').errors).toEqual([
      { parameter: 'Idempotency-Key', detail: 'is required', code: 'required' },
    ]);
  });
});

describe('a query', () => {
  const events = (query: string) => system.call('listEvents', { query });
  const received = async (query: string) => {
    let seen: unknown;
    const before = system.rpcs.events['ListEvents'];
    system.rpcs.events['ListEvents'] = (request) => {
      seen = request;
      return { events: [] };
    };
    expect((await events(query)).status).toBe(200);
    if (before) system.rpcs.events['ListEvents'] = before;
    return seen;
  };
  const at = '2025-03-04T10:02:12.049Z';

  test.each<[string, object]>([
    ['', { descending: false, limit: 100 }],
    ['$limit=1000', { limit: 1000 }],
    [`$filter[createdAt][gte]=${at}`, { filter: { createdAtGte: at } }],
    [
      `%24filter%5BcreatedAt%5D%5Bgte%5D=${encodeURIComponent(at)}&%24limit=2`,
      { filter: { createdAtGte: at }, limit: 2 },
    ],
    [
      `$filter[createdAt][gt]=${at}&$filter[createdAt][lt]=${at}&$filter[eventType][eq]=TRANSACTION_STATUS_CHANGE`,
      { filter: { createdAtGt: at, createdAtLt: at, eventType: 'TRANSACTION_STATUS_CHANGE' } },
    ],
    [`$filter=${encodeURIComponent(JSON.stringify({ createdAt: { lte: at } }))}`, { filter: { createdAtLte: at } }],
    [
      new URLSearchParams({
        $filter: `{ "createdAt" : {"gte": "${at}"} }`,
        $orderBy: '{"createdAt": "desc"}',
      }).toString(),
      { filter: { createdAtGte: at }, descending: true },
    ],
    ['$orderBy[createdAt]=desc', { descending: true }],
    ['$orderBy[createdAt]=asc&', { descending: false }],
    ['$filter={}', { filter: {} }],
  ])('%s is read', async (query, expected) => {
    expect(await received(query)).toMatchObject(expected);
  });

  test.each<[string, string, string]>([
    ['$limit=0', '$limit', 'minimum'],
    ['$limit=1001', '$limit', 'maximum'],
    ['$limit=1.5', '$limit', 'type'],
    ['$limit=1e2', '$limit', 'type'],
    ['$limit=+1', '$limit', 'type'],
    ['$limit=', '$limit', 'type'],
    ['$limit', '$limit', 'type'],
    ['$limit=99999999999999999999', '$limit', 'type'],
    ['$limit=1&$limit=2', '$limit', 'repeated-parameter'],
    ['$limit=%zz', '$limit', 'encoding'],
    ['%ff=1', '%ff', 'encoding'],
    ['$limit[x]=1', '$limit[x]', 'unknown-parameter'],
    ['limit=1', 'limit', 'unknown-parameter'],
    ['$Limit=1', '$Limit', 'unknown-parameter'],
    ['=1', '', 'unknown-parameter'],
    ['__proto__=1', '__proto__', 'unknown-parameter'],
    ['$filter[__proto__][x]=1', '$filter', 'unknown-member'],
    ['$filter[createdAt][__proto__]=1', '$filter', 'unknown-member'],
    ['$filter[constructor][prototype]=1', '$filter', 'unknown-member'],
    ['$filter[createdAt][gte]=2025-02-30T00:00:00Z', '$filter', 'format'],
    ['$filter[createdAt][gte]=2025-02-20T00:00:00+00:00', '$filter', 'format'],
    ['$filter[createdAt][like]=x', '$filter', 'unknown-member'],
    ['$filter[createdAt]=x', '$filter', 'type'],
    [`$filter[createdAt][gte]=${at}&$filter[createdAt][gte]=${at}`, '$filter', 'repeated-parameter'],
    [`$filter[createdAt][gte]=${at}&$filter[createdAt]=x`, '$filter', 'repeated-parameter'],
    [`$filter[createdAt]=x&$filter[createdAt][gte]=${at}`, '$filter', 'repeated-parameter'],
    [`$filter={}&$filter[createdAt][gte]=${at}`, '$filter', 'repeated-parameter'],
    [`$filter[createdAt][gte]=${at}&$filter={}`, '$filter', 'repeated-parameter'],
    ['$filter={}&$filter={}', '$filter', 'repeated-parameter'],
    ['$filter=x', '$filter', 'malformed-json'],
    ['$filter=', '$filter', 'malformed-json'],
    ['$filter=1', '$filter', 'type'],
    ['$filter=null', '$filter', 'type'],
    ['$filter=[]', '$filter', 'type'],
    ['$filter={"createdAt":{},"createdAt":{}}', '$filter', 'repeated-member'],
    ['$filter[createdAt=1', '$filter[createdAt', 'unknown-parameter'],
    ['$filter[]=1', '$filter[]', 'unknown-parameter'],
    ['$orderBy[createdAt]=up', '$orderBy', 'enum'],
    ['$orderBy[id]=asc', '$orderBy', 'unknown-member'],
    ['$filter[eventType][eq]=OTHER', '$filter', 'enum'],
    ['$limit=1%00', '$limit', 'nul-character'],
  ])('%s is refused by name', async (query, parameter, code) => {
    const { errors } = expectProblem(await events(query.replaceAll('"', '%22')), 400, 'invalid-request');
    expect(errors).toContainEqual({ parameter, code, detail: expect.any(String) });
  });

  test('needs the role that it grants', async () => {
    for (const query of ['', 'role=KING', 'role=EVENT_VIEWER&role=EVENT_VIEWER']) {
      expect(
        expectProblem(await system.call('grantRole', { query: query || '&' }), 400, 'invalid-request').errors,
      ).toEqual([expect.objectContaining({ parameter: 'role' })]);
    }
  });
});

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
  ])('with the id %s is looked up, never judged', async (id) => {
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

  test('with a malformed code is refused where the code is chosen, and not found where it is looked up', async () => {
    const answer = await system.call('putFacility', { path: { code: 'seven77' } });
    expect(expectProblem(answer, 400, 'invalid-request').errors).toEqual([
      expect.objectContaining({ parameter: 'code', code: 'pattern' }),
    ]);
  });
});

describe('a request id', () => {
  test('is taken over when it is well-formed, passed on, and returned', async () => {
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

describe('what is no HTTP', () => {
  const talk = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(system.address.split(':')[1]), '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket
        .on('data', (piece) => (text += piece.toString()))
        .on('close', () => resolve(text))
        .on('error', reject);
    });

  test.each<[string, string, number]>([
    ['nonsense', 'hello\r\n\r\n', 400],
    ['a header block of 20 KiB', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
    [
      'a length and chunks',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['an unknown method', 'FETCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])('%s is answered by a problem and closed', async (_what, bytes, status) => {
    const answer = await talk(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ type: 'about:blank', status });
  });

  test('an unknown expectation is ignored', async () => {
    const answer = await system.raw({ path: '/healthz', headers: { Expect: 'tea' } });
    expect(answer.status).toBe(200);
  });
});
