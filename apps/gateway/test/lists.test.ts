import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unavailable } from '@saleschannel/errors';
import { expectProblem } from './support/http.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

type Table = keyof System['rpcs'];

/** Adds `next` to the first message. */
async function* leadingOn(messages: AsyncIterable<object>, next: object): AsyncGenerator<object> {
  let isFirst = true;
  for await (const message of messages) {
    yield isFirst ? { ...message, ...next } : message;
    isFirst = false;
  }
}

/** Calls an operation and records the request to its service, which answers with `next`. */
async function callList(operation: string, [table, rpc]: readonly [Table, string], query: string, next?: string) {
  const before = system.rpcs[table][rpc];
  let seen: unknown;
  system.rpcs[table][rpc] = (request, call) => {
    seen = request;
    const answer = before?.(request, call) as object | AsyncIterable<object>;
    const further = next === undefined ? {} : { next };
    return Symbol.asyncIterator in answer ? leadingOn(answer, further) : { ...answer, ...further };
  };
  try {
    return { answer: await system.call(operation, { query }), seen };
  } finally {
    if (before) system.rpcs[table][rpc] = before;
  }
}

const parseLink = (header: unknown): URL => {
  const [, target = ''] = /^<([^<>]+)>; rel="next"$/.exec(String(header)) ?? [];
  return new URL(target, 'http://localhost');
};

describe('a list of the registry', () => {
  const lists = [
    ['listAccountHolders', ['registryImport', 'ListAccountHolders'], 'businessId=B&name=h%C3%A6v'],
    ['listFacilities', ['ledger', 'ListFacilities'], ''],
    ['listIssuances', ['ledger', 'ListIssuances'], 'productionFacilityCode=K7M2QX&vintage=2024&accountHolderId=h1'],
    ['listCertificates', ['ledger', 'ListCertificates'], 'issuanceId=i&ownerId=o&salesChannelId=c&status=HELD'],
    [
      'listRegistryTransactions',
      ['ledger', 'ListRegistryTransactions'],
      'status=PENDING&type=TRADE&accountHolderId=h1',
    ],
    ['listSubmittedProposals', ['registryImport', 'ListSubmittedProposals'], 'status=REJECTED&accountHolderId=h1'],
    ['listImports', ['registryImport', 'ListImports'], ''],
    ['listImportErrors', ['registryImport', 'ListImportErrors'], ''],
  ] as const;

  test.each(lists)('%s has its next page in the body and in Link, with its filters', async (operation, rpc, filter) => {
    const query = ['limit=7&offset=3', filter].filter(Boolean).join('&');
    const { answer, seen } = await callList(operation, rpc, query, 'cursor_-');
    const filters = Object.fromEntries(new URLSearchParams(filter));
    const asText = (value: object): object =>
      Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]));
    expect(asText(seen as object)).toMatchObject(filters);
    expect(seen).toMatchObject({ page: { limit: 7, offset: '3' } });
    expect(JSON.parse(answer.text)).toMatchObject({ pagination: { limit: 7, offset: 3, next: 'cursor_-' } });
    const link = parseLink(answer.headers['link']);
    expect(Object.fromEntries(link.searchParams)).toEqual({ limit: '7', after: 'cursor_-', ...filters });
    const followed = await callList(operation, rpc, link.search.slice(1));
    expect(followed.seen).toMatchObject({ page: { limit: 7, offset: '0', after: 'cursor_-' } });
    expect(followed.answer.headers).not.toHaveProperty('link');
    expect(JSON.parse(followed.answer.text)).not.toHaveProperty('pagination.next');
  });

  test('rejects an offset beyond the maximum', async () => {
    for (const [operation] of lists) {
      const problem = expectProblem(await system.call(operation, { query: 'offset=10001' }), 400, 'invalid-request');
      expect(problem.errors).toMatchObject([{ parameter: 'offset', code: 'maximum' }]);
    }
  });

  test('accepts a time range', async () => {
    const [from, to] = ['2025-03-01T00:00:00Z', '2025-03-31T00:00:00Z'];
    const query = `createdFrom=${from}&createdTo=${to}`;
    const { seen } = await callList('listRegistryTransactions', ['ledger', 'ListRegistryTransactions'], query);
    expect(seen).toMatchObject({ createdAt: { gte: from, lte: to } });
  });
});

describe('a list that always has pages', () => {
  const lists = [
    ['listHolderProposals', ['traders', 'PageHolderProposals'], '$filter[status][eq]=PENDING'],
    ['listOpenSalesChannels', ['rbac', 'PageOpenSalesChannels'], ''],
  ] as const;

  test.each(lists)('%s has a first page of 100, and a link to the next one', async (operation, rpc, filter) => {
    const { answer, seen } = await callList(operation, rpc, filter, 'c1');
    expect(seen).toMatchObject({ page: { limit: 100, offset: '0' } });
    const link = parseLink(answer.headers['link']);
    expect(link.searchParams.get('$after')).toBe('c1');
    const followed = await callList(operation, rpc, link.search.slice(1));
    expect(followed.seen).toMatchObject({ ...(seen as object), page: { limit: 100, offset: '0', after: 'c1' } });
  });
});

describe('a list of a sales channel', () => {
  const lists = [
    ['listTraders', ['traders', 'PageTraders'], ['traders', 'ListTraders'], '$filter[name][startsWith]=fj'],
    ['listTraders', ['traders', 'PageTraders'], ['traders', 'ListTraders'], '$filter[name][contains]=fj'],
    ['listProposals', ['traders', 'PageProposals'], ['traders', 'ListProposals'], '$filter[status][eq]=PENDING'],
    ['listInventory', ['inventory', 'PageInventory'], ['inventory', 'ListInventory'], '$filter[vintage][eq]=2024'],
    [
      'listTransactions',
      ['inventory', 'PageTransactions'],
      ['inventory', 'ListTransactions'],
      '$filter[traderId][eq]=a&$orderBy[createdAt]=desc',
    ],
    ['listHoldings', ['holdings', 'PageHoldings'], ['holdings', 'ListHoldings'], '$filter[state][eq]=RETIRED'],
    [
      'listHolderTransactions',
      ['holdings', 'PageHolderTransactions'],
      ['holdings', 'ListHolderTransactions'],
      '$filter[type][eq]=ONRAMP&$orderBy[createdAt]=desc',
    ],
    [
      'listProductionFacilities',
      ['inventory', 'PageProductionFacilities'],
      ['inventory', 'ListProductionFacilities'],
      '',
    ],
  ] as const;

  test.each(lists)(
    '%s is complete without page parameters, and has no next page',
    async (operation, _page, whole, filter) => {
      const before = system.rpcs[whole[0]][whole[1]];
      for (const query of ['', filter]) {
        const answer = await system.call(operation, { query });
        expect(JSON.parse(answer.text)).not.toEqual([]);
        expect(answer.headers).not.toHaveProperty('link');
      }
      expect(before).toBeDefined();
    },
  );

  test.each(lists)('%s has its next page in Link, with filter and order', async (operation, rpc, _whole, filter) => {
    const { answer, seen } = await callList(operation, rpc, `${filter}&$limit=1000&$offset=5`, 'c1');
    expect(seen).toMatchObject({ page: { limit: 1_000, offset: '5' } });
    const link = parseLink(answer.headers['link']);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      ...Object.fromEntries(new URLSearchParams(filter)),
      $limit: '1000',
      $after: 'c1',
    });
    const followed = await callList(operation, rpc, link.search.slice(1));
    expect(followed.seen).toMatchObject({ ...(seen as object), page: { limit: 1_000, offset: '0', after: 'c1' } });
  });

  test.each(['$limit=0', '$limit=1001', '$offset=-1', '$offset=100001', '$after=', '$limit=1&limit=1'])(
    'rejects %s',
    async (query) => {
      for (const [operation] of lists) expect((await system.call(operation, { query })).status).toBe(400);
    },
  );

  test.each([
    ['listTraders', '$filter[name][eq]=x'],
    ['listTraders', '$orderBy[businessId]=asc'],
    ['listTraders', '$orderBy[name]=up'],
    ['listTraders', '$orderBy[name]=asc&$orderBy[createdAt]=asc'],
    ['listTraders', '$orderBy={}'],
    ['listInventory', '$orderBy[standard]=asc'],
    ['listInventory', '$orderBy[vintage]=asc&$orderBy[volume]=desc'],
    ['listHoldings', '$orderBy[state]=asc'],
    ['listProposals', '$filter[status][eq]=DONE'],
    ['listInventory', '$filter[vintage][eq]=20240'],
    ['listInventory', '$filter[ownerId][eq]=x'],
    ['listHoldings', '$filter[state][eq]=HELD'],
    ['listHolderTransactions', '$filter[traderId][eq]=x'],
    ['listTransactions', '$filter[type][eq]=ISSUANCE'],
    ['listTransactions', '$filter[createdAt][gte]=yesterday'],
    ...['listTransactions', 'listTasks', 'summarizeTransactions'].flatMap((operation): [string, string][] =>
      [
        '$filter[externalReference]=x',
        '$filter[externalReference][eq]=',
        `$filter[externalReference][eq]=${'x'.repeat(101)}`,
        '$filter[externalReference][startsWith]=x',
        '$filter[metadata][a]=b',
        '$filter[metadata][a][eq]=b&$filter[metadata][c][eq]=d',
        '$filter[metadata][a%20b][eq]=c',
        '$filter[metadata][__proto__][eq]=c',
        '$filter={"metadata":{}}',
        '$filter={"metadata":{"__proto__":{"eq":"a"}}}',
      ].map((query) => [operation, operation === 'summarizeTransactions' ? `groupBy=month&${query}` : query]),
    ),
    ['listProductionFacilities', '$filter={}'],
  ])('rejects %s?%s', async (operation, query) => {
    expectProblem(await system.call(operation, { query }), 400, 'invalid-request');
  });

  test.each([
    ['listTraders', ['traders', 'PageTraders'], 'name', 'desc'],
    ['listInventory', ['inventory', 'PageInventory'], 'volume', 'asc'],
    ['listHoldings', ['holdings', 'PageHoldings'], 'vintage', 'desc'],
  ] as const)('%s in an order comes in pages, and never in another order', async (operation, rpc, by, direction) => {
    const query = `$orderBy[${by}]=${direction}`;
    const [service, name] = rpc;
    const before = system.rpcs[service][name];
    if (!before) throw new Error('there is no such fake');
    // A replica of the previous release answers in its default order.
    system.rpcs[service][name] = async (request, call) => ({
      ...((await before(request, call)) as object),
      ordered: false,
    });
    expectProblem(await system.call(operation, { query }), 503, 'unavailable');
    let seen: unknown;
    system.rpcs[service][name] = (request, call) => {
      seen = request;
      return before(request, call);
    };
    const answer = await system.call(operation, { query });
    system.rpcs[service][name] = before;
    expect(answer.status).toBe(200);
    expect(seen).toMatchObject({ order: { by, descending: direction === 'desc' }, page: { limit: 100, offset: '0' } });
    expect(parseLink(answer.headers['link']).searchParams.get(`$orderBy[${by}]`)).toBe(direction);
  });

  test('with too many concurrent readers has Retry-After', async () => {
    const before = system.rpcs.inventory['PageTransactions'];
    system.rpcs.inventory['PageTransactions'] = () => {
      throw unavailable(new Error('too many'));
    };
    const answer = await system.call('listTransactions', { query: '$limit=1' });
    if (before) system.rpcs.inventory['PageTransactions'] = before;
    expectProblem(answer, 503, 'unavailable');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('tasks always have pages, newest first, with filter and order', async () => {
  const rpc = ['tasks', 'ListTasks'] as const;
  const filter = '$filter[type][eq]=TRADE&$filter[status][eq]=FAILED&$filter[traderId][eq]=a';
  const { seen: first } = await callList('listTasks', rpc, '');
  expect(first).toMatchObject({ ascending: false, page: { limit: 100, offset: '0' } });
  const { answer, seen } = await callList('listTasks', rpc, `${filter}&$orderBy[createdAt]=asc&$limit=7`, 'c1');
  const expected = { filter: { type: 'TRADE', status: 'FAILED', traderId: 'a' }, ascending: true };
  expect(seen).toMatchObject({ ...expected, page: { limit: 7 } });
  const link = parseLink(answer.headers['link']);
  const followed = await callList('listTasks', rpc, link.search.slice(1));
  expect(followed.seen).toMatchObject({ ...expected, page: { limit: 7, after: 'c1' } });
});

const notes = { externalReference: 'PO 4711/Ω', metadata: { 'a.b:c-d_e': 'x=[y]&' } };
test.each([
  ['listTasks', ['tasks', 'ListTasks'], ''],
  ['listTransactions', ['inventory', 'PageTransactions'], ''],
  ['summarizeTransactions', ['inventory', 'SummarizeTransactions'], 'groupBy=month&'],
] as const)('%s: what a channel said of its transfers is a filter, in both forms', async (operation, rpc, more) => {
  const { externalReference, metadata } = notes;
  const texts = [externalReference, metadata['a.b:c-d_e']].map(encodeURIComponent);
  const brackets = `$filter[externalReference][eq]=${texts[0]}&$filter[metadata][a.b:c-d_e][eq]=${texts[1]}`;
  const json = {
    externalReference: { eq: externalReference },
    metadata: { 'a.b:c-d_e': { eq: metadata['a.b:c-d_e'] } },
  };
  const page = more === '' ? '&$limit=7' : '';
  for (const query of [brackets, `$filter=${encodeURIComponent(JSON.stringify(json))}`]) {
    const { seen } = await callList(operation, rpc, more + query + page);
    expect(seen).toMatchObject({ filter: notes });
  }
});

test.each([
  '$limit=1001',
  '$filter[type][eq]=ONRAMP',
  '$filter[status][eq]=DONE',
  '$orderBy[status]=asc',
  'type=TRADE',
])('tasks: rejects %s', async (query) => {
  expectProblem(await system.call('listTasks', { query }), 400, 'invalid-request');
});

test('a full page of events links to the next one, in either order and with its filter', async () => {
  const at = '2025-03-04T10:02:11.318Z';
  for (const [order, bound] of [
    ['asc', 'gt'],
    ['desc', 'lt'],
  ]) {
    const query = `$orderBy[createdAt]=${order}&$filter[createdAt][gte]=2025-01-01T00:00:00Z&$limit=1`;
    const answer = await system.call('listEvents', { query });
    const link = parseLink(answer.headers['link']);
    expect(JSON.parse(String(link.searchParams.get('$filter')))).toEqual({
      createdAt: { gte: '2025-01-01T00:00:00Z', [String(bound)]: at },
    });
    expect((await system.call('listEvents', { query: link.search.slice(1) })).status).toBe(200);
  }
  expect((await system.call('listEvents', { query: '$limit=2' })).headers).not.toHaveProperty('link');
});
