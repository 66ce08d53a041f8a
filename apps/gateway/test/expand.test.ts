import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from './support/expectations.ts';
import { startSystem, type System } from './support/system.ts';

/** `$expand` of lists of transactions: requests to services, and invalid values. */

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

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
