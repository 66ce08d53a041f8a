import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { getOperation, operations } from '../../src/contract.ts';
import { expectIntact, deepObject, useBadInput } from '../support/bad-input.ts';
import { inParallel } from '../support/api.ts';

/** Query parameters. */

const world = useBadInput();

const target = getOperation('listEvents');
const list = async (query: string): Promise<number> =>
  (await world().raw({ target: `${target.path}?${query}`, headers: [world().credentialsOf(target)] })).status;
const credentials = () => world().credentialsOf(target);
const filter = (text: string): string => `$filter=${encodeURIComponent(text)}`;

test.each(
  [
    '',
    '{',
    '[]',
    'null',
    '1',
    '"x"',
    'true',
    '{"createdAt":1}',
    '{"createdAt":null}',
    '{"createdAt":"2025-01-01T00:00:00Z"}',
    '{"createdAt":{"gte":""}}',
    '{"createdAt":{"gte":"yesterday"}}',
    '{"createdAt":{"gte":1}}',
    '{"createdAt":{"gte":"2025-02-30T00:00:00Z"}}',
    '{"createdAt":{"gte":"2025-01-01"}}',
    '{"createdAt":{"like":"x"}}',
    '{"createdAt":{"gte":{"gte":1}}}',
    '{"id":{"eq":"x"}}',
    '{"eventType":{"eq":"OTHER"}}',
    '{"eventType":{"ne":"x"}}',
    '{"$or":[]}',
    '{"createdAt":{"gte":"2025-01-01T00:00:00Z\\u0000"}}',
    '{"\\ud800":1}',
    '{"createdAt":{},"createdAt":{}}',
    '{"__proto__":{}}',
    deepObject(21),
    deepObject(1_000),
    '{"createdAt":{"gte":"infinity"}}',
    '{"createdAt":{"gte":"-4713-01-01T00:00:00Z"}}',
    '{"createdAt":{"gte":"+275760-09-13T00:00:00Z"}}',
  ].map((text) => ({ name: text.slice(0, 60), text })),
)('$$filter $name', async ({ text }) => {
  expect(await list(filter(text))).toBe(400);
});

test.each(
  [
    '$filter[createdAt][gte]=',
    '$filter[createdAt]=x',
    '$filter[createdAt][gte][x]=1',
    '$filter[]=1',
    '$filter[=1',
    '$filter]=1',
    '$filter[a][b][c][d]=1',
    '$filter[__proto__][x]=1',
    '$filter[constructor][prototype]=1',
    '$filter[createdAt][gte]=2025-01-01T00:00:00Z&$filter[createdAt][gte]=2025-01-01T00:00:00Z',
    '$filter={}&$filter={}',
    '$filter={}&$filter[createdAt][gte]=2025-01-01T00:00:00Z',
    '$orderBy=asc',
    '$orderBy[createdAt]=up',
    '$orderBy[id]=asc',
    '$orderBy=[]',
    '$limit=',
    '$limit=0',
    '$limit=-1',
    '$limit=1.5',
    '$limit=1e2',
    '$limit=0x10',
    '$limit=99999999999999999999',
    '$limit=1001',
    '$limit=+1',
    '$limit=1&$limit=1',
    '$limit[]=1',
    '$limit=1&limit=1',
    '%24limit=0',
    '%00=1',
    'a=%00',
    '$limit=%00',
    '%=1',
    'a=%',
    'a=%ff',
    '=',
    '&&&=&',
    '$offset=1',
    `x=${'y'.repeat(10_000)}`,
    '$filter=%7B%22createdAt%22',
  ].map((query) => ({ name: query.slice(0, 60), query })),
)('$name', async ({ query }) => {
  expect(await list(query)).toBe(400);
});

test.each([
  '$filter={}',
  '$orderBy={}',
  '%24limit=5',
  '$limit=1000',
  '$filter[createdAt][gte]=0001-01-01T00:00:00Z',
  '$filter[createdAt][lte]=9999-12-31T23:59:59.999Z',
  '$filter[createdAt][gt]=2025-01-01T00:00:00.123456789-14:00',
  '&',
])('query %s', async (query) => {
  expect(await list(query)).toBe(200);
});

test('$filter with arbitrary text', () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json({ maxDepth: 3 }),
        fc.string({ unit: 'binary' }),
        fc.jsonValue().map((value) => JSON.stringify({ createdAt: value })),
      ),
      async (text) => {
        expect([200, 400]).toContain(await list(filter(text.toWellFormed())));
      },
    ),
    { numRuns: 150 },
  ));

const ofTransfers = ['listTasks', 'listTransactions'].map((id) => getOperation(id));

test.each([
  '$filter[externalReference]=x',
  '$filter[externalReference][eq]=',
  '$filter[externalReference][eq]=%00',
  `$filter[externalReference][eq]=${'x'.repeat(101)}`,
  '$filter[externalReference][like]=x',
  '$filter[metadata]=x',
  '$filter[metadata][a]=x',
  '$filter[metadata][a][eq]=x&$filter[metadata][b][eq]=x',
  '$filter[metadata][][eq]=x',
  '$filter[metadata][__proto__][eq]=x',
  `$filter[metadata][${'a'.repeat(41)}][eq]=x`,
  `$filter[metadata][a][eq]=${'x'.repeat(501)}`,
  '$filter={"metadata":{"a":{"eq":1}}}',
])('transfers with %s', async (query) => {
  for (const { path } of ofTransfers) {
    const request = { target: `${path}?${query.replaceAll('"', '%22')}`, headers: [credentials()] };
    expect((await world().raw(request)).status).toBe(400);
  }
});

test('metadata filters with arbitrary text are valid or rejected', () =>
  fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (name, value) => {
      const text = filter(JSON.stringify({ metadata: { [name.toWellFormed()]: { eq: value.toWellFormed() } } }));
      for (const { path } of ofTransfers) {
        const { status } = await world().raw({ target: `${path}?${text}&$limit=1`, headers: [credentials()] });
        expect([200, 400]).toContain(status);
      }
    }),
    { numRuns: 50 },
  ));

test('unknown parameters of every operation', () =>
  inParallel(
    operations.filter(({ principal }) => principal !== 'public'),
    async (one) => {
      const { status } = await world().raw({
        method: one.method,
        target: `${world().pathOf(one)}?tpyo=1`,
        headers: [world().credentialsOf(one)],
      });
      expect({ id: one.id, isRefused: status === 400 || (status === 415 && one.mediaTypes.length > 0) }).toEqual({
        id: one.id,
        isRefused: true,
      });
    },
  ));

const REGISTRY_LISTS = [
  'listAccountHolders',
  'listFacilities',
  'listCertificates',
  'listRegistryTransactions',
  'listImports',
];

test.each([
  'offset=-1',
  'offset=9007199254740993',
  'offset=1e3',
  'offset=',
  'limit=0',
  'limit=101',
  'limit=ten',
  'limit=1&limit=2',
  'limit=100000000000000000000',
])('registry lists: %s', async (query) => {
  for (const id of REGISTRY_LISTS) {
    const each = getOperation(id);
    expect(
      (await world().raw({ target: `${each.path}?${query}`, headers: [world().credentialsOf(each)] })).status,
    ).toBe(400);
  }
});

test('a page beyond the end is empty', async () => {
  for (const id of REGISTRY_LISTS) {
    for (const offset of ['2147483648', '9007199254740991']) {
      const answer = await world().system.registry.send<{ data: unknown[] }>('GET', getOperation(id).path, {
        query: { offset },
      });
      expect([id, offset, answer.status === 400 || answer.body.data.length === 0]).toEqual([id, offset, true]);
    }
  }
});

test('afterwards the system works', () => expectIntact(world()));
