import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { manyOrFew } from '@saleschannel/testing';
import * as fc from 'fast-check';
import { expectContract } from './support/http.ts';
import { operations } from './support/public-contract.ts';
import { buildRequest, startSystem, type System } from './support/system.ts';

/** Any input gets a response of the contract, and never an internal error. */

let system: System;
beforeAll(async () => {
  system = await startSystem({
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    FAILED_LOGINS_PER_MINUTE: '1000000',
  });
});
afterAll(() => system.stop());

const RUNS = manyOrFew(150, 30);
const anyOperation = fc.constantFrom(...operations.filter(({ access }) => access['principal'] !== 'public'));
const withBody = fc.constantFrom(...operations.filter(({ mediaType }) => mediaType !== undefined));
const credential = (principal: unknown) => (principal === 'registry' ? registry : user);
let user = '';
let registry = '';
beforeAll(() => {
  user = system.user({ accountHolderId: 'h1' }).authorization;
  registry = system.registryKey().authorization;
});

const expectListed = async (
  operation: (typeof operations)[number],
  request: Parameters<System['raw']>[0],
): Promise<void> => {
  const answer = await system.raw(request);
  expect({
    operation: operation.id,
    status: answer.status,
    isFine: answer.status < 500,
    text: answer.status < 500 ? '' : answer.text,
  }).toMatchObject({ isFine: true });
  expectContract(operation, answer);
};

test('raw bytes as a body', async () => {
  await fc.assert(
    fc.asyncProperty(withBody, fc.uint8Array({ maxLength: 300 }), async (operation, bytes) => {
      await expectListed(operation, {
        ...buildRequest(operation, {}, () => credential(operation.access['principal'])),
        body: Buffer.from(bytes),
      });
    }),
    { numRuns: RUNS },
  );
});

/** Changes one part of a value. */
const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.nat(), fc.jsonValue(), fc.constantFrom('replace', 'add', 'remove')).map(([seed, piece, how]) => {
    const copy = structuredClone({ root: value }) as Record<string, unknown>;
    const places: [Record<string, unknown>, string][] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const key of Object.keys(node)) {
        places.push([node as Record<string, unknown>, key]);
        walk((node as Record<string, unknown>)[key]);
      }
    };
    walk(copy);
    const [holder, key] = places[seed % places.length] as [Record<string, unknown>, string];
    if (how === 'replace') holder[key] = piece;
    else if (how === 'add') holder[`${key}x`] = piece;
    else delete holder[key];
    return copy['root'];
  });

test('examples of the contract with one change', async () => {
  const cases = withBody.chain((operation) => fc.tuple(fc.constant(operation), mutated(operation.example)));
  await fc.assert(
    fc.asyncProperty(cases, async ([operation, value]) => {
      await expectListed(
        operation,
        buildRequest(operation, { body: JSON.stringify(value) ?? '' }, () => credential(operation.access['principal'])),
      );
    }),
    { numRuns: RUNS * 2 },
  );
});

test('any query', async () => {
  const word = fc.constantFrom(
    '$filter',
    '$orderBy',
    '$limit',
    'limit',
    'offset',
    'role',
    'type',
    'createdAt',
    'gte',
    '[',
    ']',
    '=',
    '&',
    '%',
    '%00',
    '%ff',
    '{',
    '}',
    '"',
    '1',
    '-1',
    'asc',
    '__proto__',
    '+',
    '\\u0000',
    'EVENT_VIEWER',
  );
  const query = fc.oneof(
    fc.array(word, { maxLength: 12 }).map((words) => words.join('')),
    fc.webQueryParameters(),
  );
  await fc.assert(
    fc.asyncProperty(anyOperation, query, async (operation, text) => {
      await expectListed(
        operation,
        buildRequest(operation, { query: text.replaceAll(/[^\x21-\x7e]/g, '') }, () =>
          credential(operation.access['principal']),
        ),
      );
    }),
    { numRuns: RUNS * 2 },
  );
});

test('any id in the path', async () => {
  const withId = fc.constantFrom(
    ...operations.filter(({ path, access }) => path.includes('{') && access['principal'] !== 'public'),
  );
  await fc.assert(
    fc.asyncProperty(withId, fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), async (operation, id) => {
      if (!id.isWellFormed() || id === '.' || id === '..') return;
      const path = Object.fromEntries((operation.path.match(/\{\w+\}/g) ?? []).map((name) => [name.slice(1, -1), id]));
      await expectListed(
        operation,
        buildRequest(operation, { path }, () => credential(operation.access['principal'])),
      );
    }),
    { numRuns: RUNS },
  );
});

test('any headers', async () => {
  const text = fc.string({
    unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code === 0x7f ? 0x80 : code)),
    maxLength: 100,
  });
  const headers = fc.dictionary(
    fc.constantFrom(
      'Authorization',
      'Content-Type',
      'Content-Encoding',
      'Idempotency-Key',
      'X-Request-Id',
      'Accept',
      'traceparent',
      'tracestate',
      'X-Forwarded-For',
      'Origin',
      'Cookie',
      'Range',
      'If-None-Match',
    ),
    text,
  );
  await fc.assert(
    fc.asyncProperty(anyOperation, headers, async (operation, extra) => {
      await expectListed(
        operation,
        buildRequest(operation, { headers: extra }, () => credential(operation.access['principal'])),
      );
    }),
    { numRuns: RUNS },
  );
});

test('any path and method', async () => {
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND');
  const piece = fc.constantFrom(
    '/',
    '..',
    '.',
    '%2f',
    '%00',
    '%',
    '%zz',
    '?',
    '#',
    ';',
    ':',
    '//',
    'saleschannel-services',
    'v1',
    'traders',
    'Registry',
    'api',
    'imports',
    'docs',
    'healthz',
    'problems',
    '*',
    '\\',
    '"',
    '<',
  );
  await fc.assert(
    fc.asyncProperty(method, fc.array(piece, { maxLength: 8 }), async (name, pieces) => {
      const answer = await system.raw({ method: name, path: `/${pieces.join('')}`, headers: { Authorization: user } });
      expect({ path: pieces.join(''), status: answer.status }).toMatchObject({ status: expect.any(Number) });
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400 && name !== 'HEAD')
        expect(answer.headers['content-type']).toBe('application/problem+json');
    }),
    { numRuns: RUNS * 2 },
  );
});
