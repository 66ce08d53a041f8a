import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadContract } from '../src/contract/document.ts';
import { expectProblem } from './support/http.ts';
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

describe('a search for a part of a name', () => {
  /** Lists filtered by a part of the name. */

  const lists = [
    {
      operation: 'listAccountHolders',
      rpc: ['registryImport', 'ListAccountHolders'],
      parameter: 'nameContains',
      member: 'namePart',
    },
    {
      operation: 'listStatements',
      rpc: ['publicRegister', 'ListStatements'],
      parameter: '$filter[beneficiaryName][contains]',
      member: 'beneficiaryPart',
    },
  ] as const;

  describe.each(lists)('$operation by $parameter', ({ operation, rpc: [service, rpc], parameter, member }) => {
    const text = 'Fjørd & Söhne';
    const query = new URLSearchParams({ [parameter]: text }).toString();

    test('passes on the whole text, and keeps it on the next page', async () => {
      const before = system.rpcs[service][rpc];
      const seen: unknown[] = [];
      system.rpcs[service][rpc] = (request, call) => {
        seen.push(request);
        return { ...(before?.(request, call) as object), next: 'n1' };
      };
      try {
        const { status, headers } = await system.call(operation, { query });
        expect([status, seen]).toEqual([200, [expect.objectContaining({ [member]: text })]]);
        const [, link = ''] = /^<[^?]+\?([^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
        expect(new URLSearchParams(link).get(parameter)).toBe(text);
        await system.call(operation, {});
        expect(seen[1]).not.toHaveProperty(member);
      } finally {
        if (before) system.rpcs[service][rpc] = before;
      }
    });

    test('answers 503 while a replica of the previous release ignores it', async () => {
      const before = system.rpcs[service][rpc];
      system.rpcs[service][rpc] = (request, call) => ({ ...(before?.(request, call) as object), searched: false });
      try {
        expectProblem(await system.call(operation, { query }), 503, 'unavailable');
        expect((await system.call(operation, {})).status).toBe(200);
      } finally {
        if (before) system.rpcs[service][rpc] = before;
      }
    });

    test.each(['', 'x'.repeat(201), 'a\0b'])('rejects %j', async (part) => {
      const query = new URLSearchParams({ [parameter]: part }).toString();
      expectProblem(await system.call(operation, { query }), 400, 'invalid-request');
    });
  });

  test.each([
    '$filter[beneficiaryName][eq]=x',
    '$filter[beneficiaryName][startsWith]=x',
    '$filter[beneficiaryName]=x',
    '$filter={"beneficiaryName":{}}',
    '$filter[beneficiaryLocation][contains]=x',
  ])('rejects listStatements?%s', async (query) => {
    expectProblem(await system.call('listStatements', { query }), 400, 'invalid-request');
  });
});

describe('expanded lists', () => {
  /** `$expand` of lists of transactions: requests to services, and invalid values. */

  const lists = [
    { id: 'listTransactions', page: '', name: '$expand', rpc: ['inventory', 'ListTransactions'] },
    { id: 'listTransactions', page: '$limit=5&', name: '$expand', rpc: ['inventory', 'PageTransactions'] },
    { id: 'listHolderTransactions', page: '', name: '$expand', rpc: ['holdings', 'ListHolderTransactions'] },
    { id: 'listHolderTransactions', page: '$limit=5&', name: '$expand', rpc: ['holdings', 'PageHolderTransactions'] },
    { id: 'listRegistryTransactions', page: '', name: 'expand', rpc: ['ledger', 'ListRegistryTransactions'] },
  ] as const;

  type Reply = (request: unknown, answer: unknown) => unknown;

  /** Returns the response and the request to the service, which answers `reply`. */
  async function callList({ id, rpc: [table, rpc] }: (typeof lists)[number], query: string, reply?: Reply) {
    const before = system.rpcs[table][rpc];
    let seen: unknown;
    system.rpcs[table][rpc] = (request, call) => {
      seen = request;
      return reply ? reply(request, before) : before?.(request, call);
    };
    try {
      return { answer: await system.call(id, { query }), seen };
    } finally {
      if (before) system.rpcs[table][rpc] = before;
    }
  }

  describe.each(lists)('$id $page', (list) => {
    test('passes on the names, and nothing without them', async () => {
      const { answer, seen } = await callList(list, `${list.page}${list.name}=totals,names`);
      expect([answer.status, seen]).toEqual([200, expect.objectContaining({ expand: ['totals', 'names'] })]);
      const plain = await callList(list, list.page.slice(0, -1));
      expect([plain.answer.status, plain.seen]).toEqual([200, expect.objectContaining({ expand: [] })]);
    });

    test('accepts either spelling, not both', async () => {
      const other = list.name === 'expand' ? '$expand' : 'expand';
      const { seen } = await callList(list, `${list.page}${other}=totals`);
      expect(seen).toMatchObject({ expand: ['totals'] });
      const both = await system.call(list.id, { query: `${list.name}=totals&${other}=totals` });
      expect(expectProblem(both, 400, 'invalid-request').errors).toMatchObject([
        { parameter: other, code: 'repeated-parameter' },
      ]);
    });

    test.each(['price', 'names,price', '', 'names,', 'Names', '["names"]'])('rejects "%s"', async (wrong) => {
      const answer = await system.call(list.id, { query: `${list.page}${list.name}=${encodeURIComponent(wrong)}` });
      const { errors } = expectProblem(answer, 400, 'invalid-request');
      expect(errors).toMatchObject([{ parameter: list.name, code: 'enum' }]);
    });

    test('answers 503 while a replica of the previous release ignores it', async () => {
      const old: Reply = async function* () {
        yield { data: Buffer.from('[]'), total: '0' };
      };
      const { answer } = await callList(list, `${list.page}${list.name}=names`, old);
      expectProblem(answer, 503, 'unavailable');
      expect((await callList(list, list.page.slice(0, -1), old)).answer.status).toBe(200);
    });
  });

  test.each(['listHolderTransactions', 'listRegistryTransactions'])(
    '%s does not show the own data of a sales channel',
    async (id) => {
      for (const own of ['reference', 'metadata']) {
        expectProblem(await system.call(id, { query: `$expand=${own}` }), 400, 'invalid-request');
      }
    },
  );

  test('the previous generation does not have it', async () => {
    const { authorization } = system.user();
    const path = '/saleschannel-services/transactions?$expand=names';
    const answer = await system.raw({ path, headers: { authorization } });
    expect(expectProblem(answer, 400, 'invalid-request').errors).toMatchObject([{ parameter: '$expand' }]);
  });
});
