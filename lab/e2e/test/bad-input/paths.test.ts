import { expect, test } from '@jest/globals';
import { getOperation, operations, type Operation } from '../../src/contract.ts';
import { newKey, inParallel } from '../support/api.ts';
import { expectIntact, useBadInput } from '../support/bad-input.ts';

/** Paths and methods. */

const world = useBadInput();

const odd = [
  '%00',
  'a%00b',
  '%2F',
  '%2f..%2f',
  '%',
  '%2',
  '%zz',
  '%ff',
  '%C0%AF',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%EF%BF%BF',
  '..',
  '.',
  '%2e%2e',
  '%2e',
  "'",
  "';drop%20table%20x;--",
  '%22',
  '%5C',
  '%0a',
  '%0d%0aX: y',
  '%25',
  '%25%30%30',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '0',
  '-1',
  'NaN',
  '*',
  '{id}',
  ':id',
  '$1',
  '~',
  '(x)',
  '%20',
  '+',
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(10_000),
  '%41'.repeat(500),
  '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
  '5B0C2F3E-7D1A-4C69-9A58-2E4F80B6D913_1',
  `5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${'9'.repeat(38)}`,
  `5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${'9'.repeat(39)}`,
  'x_1',
  '_1',
  '1_',
  '_',
  'a_b_1',
  '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_-1',
  '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_%EF%BC%91',
  '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_1%00',
  '',
  '/',
  '//',
  ';a=b',
  '?',
  '#',
  '%3F',
  'a?b=c',
];
const withIds = operations.filter(({ path }) => path.includes('{'));

test.each(withIds.map(({ id }) => id))('%s: malformed ids are not found', async (id) => {
  const target = getOperation(id);
  const names = [...target.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const query = target.path.endsWith('/roles') ? '?role=EVENT_VIEWER' : '';
  const headers: [string, string][] = [
    world().credentialsOf(target),
    ['Idempotency-Key', newKey()],
    ...(target.mediaTypes.length > 0 ? [['Content-Type', 'application/json'] as [string, string]] : []),
  ];
  const body = world().bodies[id] === undefined ? undefined : JSON.stringify(world().bodies[id]);
  await inParallel(
    names.flatMap((name) => odd.map((value) => [name, value] as const)),
    async ([name, value]) => {
      const path = world()
        .pathOf(target, { [name]: value })
        .replaceAll(' ', '%20');
      const { status } = await world().raw({
        method: target.method,
        target: path + query,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      expect({ path: path.slice(0, 120), isRefused: [400, 404, 405, 200, 201].includes(status) }).toEqual({
        path: path.slice(0, 120),
        isRefused: true,
      });
      // The value changes the path if the id ends at a slash, a query or a dot.
      if (status < 400) expect(value === '' || /^[?#/;.]|\?/.test(value) || id === 'putFacility').toBe(true);
    },
  );
});

test.each(
  [
    '/',
    '//',
    '/%',
    '/%00',
    '/..',
    '/../..',
    '/%2e%2e/etc/passwd',
    '*',
    '//other/healthz',
    '/healthz/',
    '/HEALTHZ',
    '/healthz%00',
    '/openapi.yaml/x',
    '/docs/../healthz',
    `/${'a'.repeat(12_000)}`,
    '/saleschannel-services/v1',
    '/saleschannel-services/v1/',
    '/saleschannel-services/v2/traders',
    '/Registry/API/account-holders',
    '/registry/api/account-holders',
    '/\u{ff}',
    '/healthz?%',
    '/healthz?a=%ff',
    '/healthz?x=1',
  ].map((target) => ({ name: target.slice(0, 60), target })),
)('$name', async ({ target }) => {
  const { status } = await world().raw({ target, headers: [['Authorization', world().authorization]] });
  expect([200, 302, 301, 400, 404]).toContain(status);
});

test('every path rejects methods without an operation', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'QUERY'];
  const byPath = Map.groupBy(operations, ({ path }) => path);
  await inParallel([...byPath], async ([, all]) => {
    const [first] = all;
    const known = all.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const method of methods.filter((name) => !known.includes(name))) {
      const { status, headers } = await world().raw({
        method,
        target: world().pathOf(first as Operation),
        headers: [world().credentialsOf(first as Operation)],
      });
      expect({ method, path: first?.path, status }).toEqual({ method, path: first?.path, status: 405 });
      expect(String(headers['allow']).split(', ').toSorted()).toEqual(known.toSorted());
    }
  });
});

test('afterwards the system works', () => expectIntact(world()));
