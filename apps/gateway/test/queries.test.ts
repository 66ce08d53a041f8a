import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadContract } from '../src/contract/document.ts';
import { expectProblem } from './support/expectations.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

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
    ['limit=1000', { limit: 1000 }],
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
  ])('parses %s', async (query, expected) => {
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
    ['limit=0', 'limit', 'minimum'],
    ['limit=x', 'limit', 'type'],
    ['limit=1&limit=1', 'limit', 'repeated-parameter'],
    ['limit=1&$limit=1', '$limit', 'repeated-parameter'],
    ['$limit=1&limit=1', 'limit', 'repeated-parameter'],
    ['limit[x]=1', 'limit[x]', 'unknown-parameter'],
    ['offset=1', 'offset', 'unknown-parameter'],
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
  ])('rejects %s by name', async (query, parameter, code) => {
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

/** Operations with a page size, by the declared spelling. */
const sized = loadContract().operations.flatMap(({ id, path, parameters }) => {
  const limit = parameters.find(({ name }) => name === 'limit' || name === '$limit');
  return limit && !path.includes('{') ? [{ id, declared: limit.name }] : [];
});

test.each(sized)('$id accepts `limit` and `$limit`, not both', async ({ id, declared }) => {
  const other = declared === 'limit' ? '$limit' : 'limit';
  for (const [query, parameter, code] of [
    [`${other}=0`, other, 'minimum'],
    [`${declared}=0`, declared, 'minimum'],
    [`${declared}=1&${other}=1`, other, 'repeated-parameter'],
    [`${other}=1&${declared}=1`, declared, 'repeated-parameter'],
  ] as const) {
    const { errors } = expectProblem(await system.call(id, { query }), 400, 'invalid-request');
    expect([query, errors]).toEqual([query, expect.arrayContaining([expect.objectContaining({ parameter, code })])]);
  }
});

test('the next page keeps the spelling of the client', async () => {
  const list = system.rpcs.registryImport['ListAccountHolders'];
  let received: unknown;
  system.rpcs.registryImport['ListAccountHolders'] = (request) => {
    received = request;
    return { accountHolders: [], total: '9', next: 'bmV4dA' };
  };
  const { status, text, headers } = await system.call('listAccountHolders', { query: '$limit=2' });
  if (list) system.rpcs.registryImport['ListAccountHolders'] = list;
  expect([status, received]).toEqual([200, expect.objectContaining({ page: expect.objectContaining({ limit: 2 }) })]);
  expect(JSON.parse(text)).toMatchObject({ pagination: { limit: 2, next: 'bmV4dA' } });
  expect(headers['link']).toMatch(/^<\/Registry\/api\/account-holders\?%24limit=2&after=bmV4dA>; rel="next"$/);
});

test('rejects a query that is too long', async () => {
  const query = `$filter=${'x'.repeat(8_185)}`;
  expect(expectProblem(await system.call('listEvents', { query }), 400, 'invalid-request').errors).toEqual([
    { parameter: 'query', code: 'maxLength', detail: 'must have at most 8192 characters' },
  ]);
  const digits = `$filter={"createdAt":0.1${'0'.repeat(4_000)}1}`;
  const { errors } = expectProblem(await system.call('listEvents', { query: digits }), 400, 'invalid-request');
  expect(errors).toEqual([expect.objectContaining({ parameter: '$filter', code: 'number-length' })]);
});
