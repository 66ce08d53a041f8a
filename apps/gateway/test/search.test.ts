import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { notFound, unavailable } from '@saleschannel/errors';
import { expectProblem } from './support/http.ts';
import { startSystem, type System } from './support/system.ts';

/** One request searches all records that the caller may read. */

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

type Results = { results: { kind: string; id: string; name: string | null }[] };
const found = async (q: string, user?: Parameters<System['user']>[0]): Promise<Results['results']> => {
  const headers = user ? { headers: { authorization: system.user(user).authorization } } : {};
  const answer = await system.call('search', { query: `q=${encodeURIComponent(q)}`, ...headers });
  expect(answer.status).toBe(200);
  return (JSON.parse(answer.text) as Results).results;
};

test('searches names and ids concurrently, and returns each record once', async () => {
  const seen: unknown[] = [];
  const { PageTraders: pageTraders } = system.rpcs.traders;
  system.rpcs.traders['PageTraders'] = (request, call) => {
    seen.push(request);
    return pageTraders?.(request, call);
  };
  const results = await found('fjord', { roles: ['TRADER_VIEWER', 'TRANSACTION_ADMINISTRATOR'] });
  if (pageTraders) system.rpcs.traders['PageTraders'] = pageTraders;
  expect(seen).toMatchObject([{ filter: { namePart: 'fjord' }, page: { limit: 10 } }]);
  expect(results.map(({ kind }) => kind).toSorted()).toEqual(['TRADER', 'TRANSACTION']);
});

test('does not search records that the caller may not read', async () => {
  expect(await found('fjord', { roles: [] })).toEqual([]);
  expect(await found('fjord', { roles: ['EVENT_VIEWER'] })).toMatchObject([{ kind: 'WEBHOOK_ENDPOINT' }]);
});

test('finds proposals to the own channel with the role to list them', async () => {
  const seen: unknown[] = [];
  const { PageProposals: pageProposals } = system.rpcs.traders;
  system.rpcs.traders['PageProposals'] = (request, call) => {
    seen.push(request);
    return pageProposals?.(request, call);
  };
  const results = await found('fjord', { roles: ['TRADERONBOARDERPROPOSAL_VIEWER'] });
  const without = await found('fjord', { roles: ['TRADERONBOARDERPROPOSAL_ACCEPTER', 'TRADER_VIEWER'] });
  if (pageProposals) system.rpcs.traders['PageProposals'] = pageProposals;
  expect(seen).toMatchObject([{ search: 'fjord', page: { limit: 10, offset: '0' } }]);
  expect(results).toEqual([{ kind: 'PROPOSAL', id: expect.any(String), name: expect.any(String) }]);
  expect(without.map(({ kind }) => kind)).not.toContain('PROPOSAL');
});

test('finds sales channels for users of an account holder only', async () => {
  const expected = { kind: 'SALES_CHANNEL', id: 'c1', name: 'Nordic' };
  expect(await found('nordic', { roles: [], accountHolderId: 'h7' })).toContainEqual(expected);
  expect((await found('nordic', {})).map(({ kind }) => kind)).not.toContain('SALES_CHANNEL');
});

test.each([
  ['traders', 'PageProposals', { roles: ['TRADERONBOARDERPROPOSAL_VIEWER'] }],
  ['rbac', 'PageOpenSalesChannels', { roles: [], accountHolderId: 'h7' }],
] as const)('%s/%s of the previous release, which would find everything, is waited for', async (service, rpc, user) => {
  const before = system.rpcs[service][rpc];
  if (!before) throw new Error('there is no such fake');
  system.rpcs[service][rpc] = (request, call) => ({ ...(before(request, call) as object), searched: false });
  try {
    const { authorization } = system.user(user);
    const answer = await system.call('search', { query: 'q=fjord', headers: { authorization } });
    expectProblem(answer, 503, 'unavailable');
  } finally {
    system.rpcs[service][rpc] = before;
  }
});

test('no result is not an error, and an unavailable service is', async () => {
  const { GetTransaction: getTransaction } = system.rpcs.inventory;
  const roles = { roles: ['TRANSACTION_ADMINISTRATOR'] as const };
  try {
    system.rpcs.inventory['GetTransaction'] = () => {
      throw notFound();
    };
    expect(await found('fjord', roles)).toEqual([]);
    system.rpcs.inventory['GetTransaction'] = () => {
      throw unavailable(new Error('away'));
    };
    const { authorization } = system.user(roles);
    expectProblem(await system.call('search', { query: 'q=fjord', headers: { authorization } }), 503, 'unavailable');
  } finally {
    if (getTransaction) system.rpcs.inventory['GetTransaction'] = getTransaction;
  }
});

test.each(['', 'q=', `q=${'x'.repeat(129)}`, 'q=%00'])('rejects "%s"', async (query) => {
  expectProblem(await system.call('search', { query }), 400, 'invalid-request');
});
