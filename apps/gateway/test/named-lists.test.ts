import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from './support/expectations.ts';
import { startSystem, type System } from './support/system.ts';

/** Lists filtered by a part of the name. */

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

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
