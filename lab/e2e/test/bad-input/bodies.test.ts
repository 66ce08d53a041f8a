import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { getOperation, operations } from '../../src/contract.ts';
import { inventoryPath, withIdempotencyKey, newKey, retirementBody, inParallel } from '../support/api.ts';
import { expectIntact, deepArray, deepObject, userPath, useBadInput } from '../support/bad-input.ts';

const withBody = operations.filter(({ mediaTypes }) => mediaTypes.includes('application/json'));

const notJson: (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '[',
  '}',
  '"',
  'nul',
  'undefined',
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":01}',
  '{"a":+1}',
  '{"a":1}{"a":1}',
  '{"a":1}x',
  '\u{feff}{}',
  '{"a":"\n"}',
  '{"a":"\\x"}',
  '\0',
  '{"a":"\0"}',
  '{"a"\0:1}',
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from('{"name":1}', 'utf16le'),
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
];

const jsonButWrong: string[] = [
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '{}',
  '[{}]',
  deepArray(21),
  deepObject(21),
  deepArray(100_000),
  deepObject(100_000),
  '{"\\u0000":1}',
  '{"a\\u0000b":"\\u0000"}',
  '{"name":"\\ud800"}',
  '{"name":"\\udc00\\ud800"}',
  '{"\\ud800":1}',
  '{"name":"a","name":"b"}',
  '{"name":"a","n\\u0061me":"b"}',
  '{"__proto__":{"name":"x"}}',
  '{"constructor":{"prototype":1}}',
  '{"name":1e999}',
  '{"name":-1e999}',
  '{"name":99999999999999999999999999999999999999}',
  '{"name":0.10000000000000000000001}',
  '{"name":1e-400}',
  '{"name":-0}',
];

/** Request bodies. */

const world = useBadInput();

test.each(withBody.map(({ id }) => id))('%s: invalid JSON and invalid structure', async (id) => {
  const target = getOperation(id);
  const headers: [string, string][] = [
    world().credentialsOf(target),
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', newKey()],
  ];
  await inParallel(notJson, async (body) => {
    const answer = await world().raw({ method: target.method, target: world().pathOf(target), headers, body });
    const isLarge = body.length > target.bodyBytesAtMost;
    expect({ body: body.slice(0, 40), status: answer.status }).toEqual({
      body: body.slice(0, 40),
      status: isLarge ? 413 : 400,
    });
    const types = isLarge ? ['/problems/payload-too-large'] : ['/problems/malformed-body', '/problems/invalid-request'];
    expect(types).toContain(answer.problem?.type);
  });
  const mayBeEmpty = ['updateTrader', 'updateAccountHolder', 'updateOwnHolder', 'rotateWebhookSecret'].includes(id);
  await inParallel(jsonButWrong, async (body) => {
    const { status } = await world()
      .clientOf(target)
      .send(target.method as 'POST', world().pathOf(target), { body, headers: withIdempotencyKey() });
    expect({ body: body.slice(0, 40), status }).toEqual({
      body: body.slice(0, 40),
      status: body.length > target.bodyBytesAtMost ? 413 : mayBeEmpty && body === '{}' ? 200 : 400,
    });
  });
});

/** All paths to values of a body. */
function listPaths(value: unknown, path: readonly string[] = []): string[][] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) => listPaths(member, [...path, name]))
      : [];
  return path.length === 0 ? inside : [[...path], ...inside];
}

/** The body as JSON text, with one value replaced by another text. */
function replaced(value: unknown, [name, ...rest]: readonly string[], text: string): string {
  if (name === undefined) return text;
  const members = Object.entries(value as object).map(([key, member]) => {
    const inside = key === name ? replaced(member, rest, text) : JSON.stringify(member);
    return Array.isArray(value) ? inside : `${JSON.stringify(key)}:${inside}`;
  });
  return Array.isArray(value) ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

const nines = '9'.repeat(39);
const nasty = [
  'null',
  'true',
  '-1',
  '0',
  '1.5',
  '1e21',
  '1e400',
  nines,
  '0.1234567',
  '1e-7',
  '[]',
  '{}',
  '[null]',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff x"',
  `"${'x'.repeat(201)}"`,
  `"${'x'.repeat(20_000)}"`,
  '"é\u{1f600}\u{202e}"',
  '"\';drop table trader;--"',
  '"%00"',
  '"\\\\"',
  `"a_${nines}"`,
  `"5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${nines}"`,
  `"5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${'9'.repeat(38)}"`,
  '"_1"',
  '"x_1"',
  '"1"',
  `"${nines}"`,
  `"${'9'.repeat(38)}"`,
  '"+1"',
  '"-1"',
  '"１"',
  '"0001-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"2025-02-30T00:00:00Z"',
  '"2025-01-01T00:00:00.123456789+14:00"',
  '"2025-01-01"',
  '"infinity"',
  '"NaN"',
  '"00000000-0000-0000-0000-000000000000"',
  '"EUR"',
  '"NO"',
  'false',
];

test.each(withBody.map(({ id }) => id))('%s: arbitrary values at every path', async (id) => {
  const target = getOperation(id);
  const body = world().bodies[id];
  const texts = listPaths(body).flatMap((place) => nasty.map((text) => replaced(body, place, text)));
  await inParallel(texts, async (text) => {
    const { status } = await world()
      .clientOf(target)
      .send(target.method as 'POST', world().pathOf(target), { body: text, headers: withIdempotencyKey() });
    expect(status).toBeLessThan(500);
  });
});

test('arbitrary JSON is rejected', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(...withBody), async (value, target) => {
      const { status } = await world()
        .clientOf(target)
        .send(target.method as 'POST', world().pathOf(target), {
          body: JSON.stringify(value),
          headers: withIdempotencyKey(),
        });
      expect([200, 400]).toContain(status);
    }),
    { numRuns: 150 },
  ));

test('bodies that are too large, with and without a length', async () => {
  const headers: [string, string][] = [
    ['Authorization', world().authorization],
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', newKey()],
  ];
  const large = `{"name":"${'x'.repeat(1_048_577)}"}`;
  expect((await world().raw({ method: 'POST', target: userPath, headers, body: large })).status).toBe(413);
  const chunked = Buffer.from(`${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`);
  expect(
    (
      await world().raw({
        method: 'POST',
        target: userPath,
        headers: [...headers, ['Transfer-Encoding', 'chunked']],
        body: chunked,
      })
    ).status,
  ).toBe(413);
  expect(
    (
      await world().raw({
        method: 'POST',
        target: userPath,
        headers: [...headers, ['Content-Length', '99999999999']],
        body: '{}',
      })
    ).status,
  ).toBe(413);
  const { range } = world().bundle;
  const many = (count: number): object => retirementBody(Array.from({ length: count }, () => range(1, 1)));
  for (const count of [1_000, 1_001]) {
    const answer = await world().client.send('POST', inventoryPath(world().ids.traderId, 'retire'), {
      body: many(count),
      headers: withIdempotencyKey(),
    });
    expect({ count, status: answer.status, type: answer.body.type }).toEqual({
      count,
      status: 400,
      type: count > 1_000 ? '/problems/invalid-request' : '/problems/request-refused',
    });
  }
});

test('bodies of operations without one', async () => {
  for (const path of ['/authentication/users/me/api-keys']) {
    expect((await world().client.send('POST', path, { body: '{"a":1}' })).status).toBe(400);
    expect((await world().client.send('POST', path, { body: 'x'.repeat(100_000) })).status).toBe(400);
    expect((await world().client.send('POST', path, { body: '{}' })).status).toBe(201);
  }
});

test('bodies of other media types', async () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'application/problem+json',
    '',
    ';;;',
    '*/*',
    'application/json; charset=utf-16',
    'json',
  ];
  await inParallel(
    withBody.flatMap((target) => types.map((type) => [target, type] as const)),
    async ([target, type]) => {
      const headers: [string, string][] = [
        world().credentialsOf(target),
        ['Content-Type', type],
        ['Idempotency-Key', newKey()],
      ];
      expect({
        type,
        status: (await world().raw({ method: target.method, target: world().pathOf(target), headers, body: '{}' }))
          .status,
      }).toEqual({ type, status: 415 });
    },
  );
  const headers: [string, string][] = [
    ['Authorization', world().authorization],
    ['Idempotency-Key', newKey()],
  ];
  expect(
    (
      await world().raw({
        method: 'POST',
        target: userPath,
        headers: [...headers, ['Content-Type', 'application/json'], ['Content-Encoding', 'gzip']],
        body: '{}',
      })
    ).status,
  ).toBe(415);
  for (const type of ['application/json; charset="UTF-8"', 'APPLICATION/JSON;x=y', 'application/json;']) {
    expect({
      type,
      status: (
        await world().raw({
          method: 'POST',
          target: userPath,
          headers: [...headers, ['Content-Type', type]],
          body: '{}',
        })
      ).status,
    }).toEqual({ type, status: 400 });
  }
});

test('afterwards the system works', () => expectIntact(world()));
