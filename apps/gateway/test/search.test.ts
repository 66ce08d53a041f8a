import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { notFound, unavailable } from '@saleschannel/errors';
import { expectProblem } from './support/promised.ts';
import { startSystem, type System } from './support/system.ts';

/** One request finds what a text names, among what the caller may read. */

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

test('asks for names and ids at once, and tells each thing once', async () => {
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

test('looks for nothing that the caller may not read', async () => {
  expect(await found('fjord', { roles: [] })).toEqual([]);
  expect(await found('fjord', { roles: ['EVENT_VIEWER'] })).toMatchObject([{ kind: 'WEBHOOK_ENDPOINT' }]);
});

test('what names nothing is no fault, and a service that is away is one', async () => {
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

test.each(['', 'q=', `q=${'x'.repeat(129)}`, 'q=%00'])('refuses "%s"', async (query) => {
  expectProblem(await system.call('search', { query }), 400, 'invalid-request');
});
