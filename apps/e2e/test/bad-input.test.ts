import { beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { eventually } from '@saleschannel/testing';
import { basic, type Client } from '../src/client.ts';
import { operation, operations, type Operation } from '../src/contract.ts';
import type { System } from '../src/system.ts';
import { sendRaw, exchangeBytes, type RawRequest } from './support/raw.ts';
import { useSystem } from './support/system.ts';
import { accountHolderBody, bundlesOf, buyer, inventoryPath, issuanceBody, issue, keyed, newKey, operator, retirementBody, seller, v1, type Issue } from './support/world.ts';

/** Whatever comes in: the answer is the client's fault, said as problem details, never a failure of the service. Clients check exactly that of every answer. */

const running = useSystem();
let system: System;
let client: Client;
let authorization: string;
let registryAuthorization: string;
let bundle: Issue;
let bodies: Record<string, unknown>;
let ids: Record<string, string>;

beforeAll(async () => {
  system = running();
  const [channel] = system.channels;
  const user = operator(channel);
  client = system.as(user);
  authorization = basic(user.apiKeyId, user.passphrase);
  registryAuthorization = basic(system.demo.registryKey.apiKey, system.demo.registryKey.apiSecret);
  bundle = await issue(system, channel);
  const asset = bundle.range(1, 1);
  bodies = {
    createTrader: { businessId: 'B', name: 'N', address: { zipCode: '1', city: 'C', countryName: 'C', street: 'S', poBox: 'P' } },
    updateTrader: { businessId: 'B', name: 'N', address: { zipCode: '1', city: null } },
    startTrade: { buyerId: buyer(channel).id, currency: 'EUR', assets: [{ ...asset, unitPrice: 1 }] },
    startRetirement: { ...retirementBody([asset]), beneficiaryType: 'SUPPLIER', usageType: 'OTHER' },
    startOfframp: { assets: [asset] },
    createRegistryKey: { expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
    createAccountHolder: accountHolderBody({ autoApproval: true }),
    updateAccountHolder: { name: 'N', address: { city: 'C', street2: null } },
    onramp: { salesChannelId: channel.salesChannelId, assets: [asset] },
    putFacility: { name: 'N', country: 'FI', methodologyCodes: ['M'], supplier: 'S', gsrn: '1', creditingPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2025-01-01T00:00:00.000Z' } },
    createIssuance: issuanceBody(channel, { salesChannelId: null, expirationDate: null, creditTypeId: 'X' }),
    submitProposal: { accountHolderId: channel.accountHolderId, salesChannelId: channel.salesChannelId },
  };
  ids = { traderId: seller(channel).id, accountHolderId: channel.accountHolderId, code: 'BAD001' };
});

const pathOf = (each: Operation, given: Record<string, string> = ids): string => each.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? 'cm7q1a9tr0003x9f2b6s2j8u');
const clientOf = (each: Operation): Client => (each.principal === 'registry' ? system.registry : client);
const credentialsOf = (each: Operation): [string, string] => ['Authorization', each.principal === 'registry' ? registryAuthorization : authorization];
const raw = (request: RawRequest) => sendRaw(system.baseUrl, request);
const withBody = operations.filter(({ mediaTypes }) => mediaTypes.includes('application/json'));
const userPath = `${v1}/traders`;

/** Many requests, a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (const item of queue) await work(item);
  }));
}

const deepArray = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const deepObject = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

const notJson: (string | Buffer)[] = [
  '', ' ', '{', '[', '}', '"', 'nul', 'undefined', '{"a":1,}', "{'a':1}", '{"a":NaN}', '{"a":01}', '{"a":+1}', '{"a":1}{"a":1}', '{"a":1}x', '\u{feff}{}', '{"a":"\n"}', '{"a":"\\x"}', '\0', '{"a":"\0"}',
  '{"a"\0:1}', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), Buffer.from('{"name":1}', 'utf16le'),
  '['.repeat(100_000), '{"a":'.repeat(100_000),
];

const jsonButWrong: string[] = [
  'null', 'true', '1', '"text"', '[]', '{}', '[{}]', deepArray(21), deepObject(21), deepArray(100_000), deepObject(100_000), '{"\\u0000":1}', '{"a\\u0000b":"\\u0000"}', '{"name":"\\ud800"}',
  '{"name":"\\udc00\\ud800"}', '{"\\ud800":1}', '{"name":"a","name":"b"}', '{"name":"a","n\\u0061me":"b"}', '{"__proto__":{"name":"x"}}', '{"constructor":{"prototype":1}}', '{"name":1e999}',
  '{"name":-1e999}', '{"name":99999999999999999999999999999999999999}', '{"name":0.10000000000000000000001}', '{"name":1e-400}', '{"name":-0}',
];

describe('bodies', () => {
  test.each(withBody.map(({ id }) => id))('%s: neither JSON nor of its form', async (id) => {
    const target = operation(id);
    const headers: [string, string][] = [credentialsOf(target), ['Content-Type', 'application/json'], ['Idempotency-Key', newKey()]];
    await each(notJson, async (body) => {
      const answer = await raw({ method: target.method, target: pathOf(target), headers, body });
      expect({ body: body.slice(0, 40), status: answer.status }).toEqual({ body: body.slice(0, 40), status: 400 });
      expect(['/problems/malformed-body', '/problems/invalid-request']).toContain(answer.problem?.type);
    });
    const isPatch = id === 'updateTrader' || id === 'updateAccountHolder';
    await each(jsonButWrong, async (body) => {
      const { status } = await clientOf(target).send(target.method as 'POST', pathOf(target), { body, headers: keyed() });
      expect({ body: body.slice(0, 40), status }).toEqual({ body: body.slice(0, 40), status: isPatch && body === '{}' ? 200 : 400 });
    });
  });

  /** Every place of a body. */
  function placesOf(value: unknown, path: readonly string[] = []): string[][] {
    const inside = typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name])) : [];
    return path.length === 0 ? inside : [[...path], ...inside];
  }

  /** The body as JSON text, with the text of another value in one place. */
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
    'null', 'true', '-1', '0', '1.5', '1e21', '1e400', nines, '0.1234567', '1e-7', '[]', '{}', '[null]', '""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff x"', `"${'x'.repeat(201)}"`, `"${'x'.repeat(20_000)}"`,
    '"é\u{1f600}\u{202e}"', '"\';drop table trader;--"', '"%00"', '"\\\\"', `"a_${nines}"`, `"5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${nines}"`, `"5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${'9'.repeat(38)}"`, '"_1"', '"x_1"', '"1"',
    `"${nines}"`, `"${'9'.repeat(38)}"`, '"+1"', '"-1"', '"１"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59.999999999Z"', '"2025-02-30T00:00:00Z"', '"2025-01-01T00:00:00.123456789+14:00"', '"2025-01-01"', '"infinity"', '"NaN"',
    '"00000000-0000-0000-0000-000000000000"', '"EUR"', '"NO"', 'false',
  ];

  test.each(withBody.map(({ id }) => id))('%s: anything in any place', async (id) => {
    const target = operation(id);
    const body = bodies[id];
    const texts = placesOf(body).flatMap((place) => nasty.map((text) => replaced(body, place, text)));
    await each(texts, async (text) => {
      const { status } = await clientOf(target).send(target.method as 'POST', pathOf(target), { body: text, headers: keyed() });
      expect(status).toBeLessThan(500);
    });
  });

  test('JSON of any shape is refused', () =>
    fc.assert(fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(...withBody), async (value, target) => {
      const { status } = await clientOf(target).send(target.method as 'POST', pathOf(target), { body: JSON.stringify(value), headers: keyed() });
      expect([200, 400]).toContain(status);
    }), { numRuns: 150 }));

  test('too large ones, with and without a length', async () => {
    const headers: [string, string][] = [['Authorization', authorization], ['Content-Type', 'application/json'], ['Idempotency-Key', newKey()]];
    const large = `{"name":"${'x'.repeat(1_048_577)}"}`;
    expect((await raw({ method: 'POST', target: userPath, headers, body: large })).status).toBe(413);
    const chunked = Buffer.from(`${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`);
    expect((await raw({ method: 'POST', target: userPath, headers: [...headers, ['Transfer-Encoding', 'chunked']], body: chunked })).status).toBe(413);
    expect((await raw({ method: 'POST', target: userPath, headers: [...headers, ['Content-Length', '99999999999']], body: '{}' })).status).toBe(413);
    const { range } = bundle;
    const many = (count: number): object => retirementBody(Array.from({ length: count }, () => range(1, 1)));
    for (const count of [1_000, 1_001]) {
      const answer = await client.send('POST', inventoryPath(ids['traderId'] ?? '', 'retire'), { body: many(count), headers: keyed() });
      expect({ count, status: answer.status, type: answer.body.type }).toEqual({ count, status: 400, type: count > 1_000 ? '/problems/invalid-request' : '/problems/request-refused' });
    }
  });

  test('where none belongs', async () => {
    for (const path of ['/authentication/users/me/api-keys']) {
      expect((await client.send('POST', path, { body: '{"a":1}' })).status).toBe(400);
      expect((await client.send('POST', path, { body: 'x'.repeat(100_000) })).status).toBe(400);
      expect((await client.send('POST', path, { body: '{}' })).status).toBe(201);
    }
  });

  test('of other media types', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'application/json-patch+json', 'application/problem+json', '', ';;;', '*/*', 'application/json; charset=utf-16', 'json'];
    await each(withBody.flatMap((target) => types.map((type) => [target, type] as const)), async ([target, type]) => {
      const headers: [string, string][] = [credentialsOf(target), ['Content-Type', type], ['Idempotency-Key', newKey()]];
      expect({ type, status: (await raw({ method: target.method, target: pathOf(target), headers, body: '{}' })).status }).toEqual({ type, status: 415 });
    });
    const headers: [string, string][] = [['Authorization', authorization], ['Idempotency-Key', newKey()]];
    expect((await raw({ method: 'POST', target: userPath, headers: [...headers, ['Content-Type', 'application/json'], ['Content-Encoding', 'gzip']], body: '{}' })).status).toBe(415);
    for (const type of ['application/json; charset="UTF-8"', 'APPLICATION/JSON;x=y', 'application/json;']) {
      expect({ type, status: (await raw({ method: 'POST', target: userPath, headers: [...headers, ['Content-Type', type]], body: '{}' })).status }).toEqual({ type, status: 400 });
    }
  });
});

describe('paths', () => {
  const odd = [
    '%00', 'a%00b', '%2F', '%2f..%2f', '%', '%2', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%F0%9F%98%80', '%EF%BF%BF', '..', '.', '%2e%2e', '%2e', "'", "';drop%20table%20x;--", '%22', '%5C', '%0a', '%0d%0aX: y', '%25', '%25%30%30',
    '__proto__', 'constructor', 'null', 'undefined', '0', '-1', 'NaN', '*', '{id}', ':id', '$1', '~', '(x)', '%20', '+', 'a'.repeat(128), 'a'.repeat(129), 'a'.repeat(10_000), '%41'.repeat(500), '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913',
    '5B0C2F3E-7D1A-4C69-9A58-2E4F80B6D913_1', `5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${'9'.repeat(38)}`, `5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_${'9'.repeat(39)}`, 'x_1', '_1', '1_', '_', 'a_b_1', '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_-1',
    '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_%EF%BC%91', '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913_1%00', '', '/', '//', ';a=b', '?', '#', '%3F', 'a?b=c',
  ];
  const withIds = operations.filter(({ path }) => path.includes('{'));

  test.each(withIds.map(({ id }) => id))('%s: odd ids name nothing', async (id) => {
    const target = operation(id);
    const names = [...target.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const query = target.path.endsWith('/roles') ? '?role=EVENT_VIEWER' : '';
    const headers: [string, string][] = [credentialsOf(target), ['Idempotency-Key', newKey()], ...(target.mediaTypes.length > 0 ? [['Content-Type', 'application/json'] as [string, string]] : [])];
    const body = bodies[id] === undefined ? undefined : JSON.stringify(bodies[id]);
    await each(names.flatMap((name) => odd.map((value) => [name, value] as const)), async ([name, value]) => {
      const path = pathOf(target, { ...ids, [name]: value }).replaceAll(' ', '%20');
      const { status } = await raw({ method: target.method, target: path + query, headers, ...(body === undefined ? {} : { body }) });
      expect({ path: path.slice(0, 120), isRefused: [400, 404, 405, 200, 201].includes(status) }).toEqual({ path: path.slice(0, 120), isRefused: true });
      // What comes through is another path: an id that ends at a slash, a query or a dot.
      if (status < 400) expect(value === '' || /^[?#/;.]|\?/.test(value) || id === 'putFacility').toBe(true);
    });
  });

  test.each(['/', '//', '/%', '/%00', '/..', '/../..', '/%2e%2e/etc/passwd', '*', '//other/healthz', '/healthz/', '/HEALTHZ', '/healthz%00', '/openapi.yaml/x', '/docs/../healthz', `/${'a'.repeat(12_000)}`,
    '/saleschannel-services/v1', '/saleschannel-services/v1/', '/saleschannel-services/v2/traders', '/Registry/API/account-holders', '/registry/api/account-holders', '/\u{ff}', '/healthz?%', '/healthz?a=%ff', '/healthz?x=1'].map((target) => ({ name: target.slice(0, 60), target })))('$name', async ({ target }) => {
    const { status } = await raw({ target, headers: [['Authorization', authorization]] });
    expect([200, 302, 301, 400, 404]).toContain(status);
  });

  test('every path refuses the methods it does not have', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK', 'QUERY'];
    const byPath = Map.groupBy(operations, ({ path }) => path);
    await each([...byPath], async ([, all]) => {
      const [first] = all;
      const known = all.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      for (const method of methods.filter((name) => !known.includes(name))) {
        const { status, headers } = await raw({ method, target: pathOf(first as Operation), headers: [credentialsOf(first as Operation)] });
        expect({ method, path: first?.path, status }).toEqual({ method, path: first?.path, status: 405 });
        expect(String(headers['allow']).split(', ').toSorted()).toEqual(known.toSorted());
      }
    });
  });
});

describe('queries', () => {
  const target = operation('listEvents');
  const list = async (query: string): Promise<number> => (await raw({ target: `${target.path}?${query}`, headers: [credentialsOf(target)] })).status;
  const filter = (text: string): string => `$filter=${encodeURIComponent(text)}`;

  test.each([
    '', '{', '[]', 'null', '1', '"x"', 'true', '{"createdAt":1}', '{"createdAt":null}', '{"createdAt":"2025-01-01T00:00:00Z"}', '{"createdAt":{"gte":""}}', '{"createdAt":{"gte":"yesterday"}}', '{"createdAt":{"gte":1}}',
    '{"createdAt":{"gte":"2025-02-30T00:00:00Z"}}', '{"createdAt":{"gte":"2025-01-01"}}', '{"createdAt":{"like":"x"}}', '{"createdAt":{"gte":{"gte":1}}}', '{"id":{"eq":"x"}}', '{"eventType":{"eq":"OTHER"}}', '{"eventType":{"ne":"x"}}',
    '{"$or":[]}', '{"createdAt":{"gte":"2025-01-01T00:00:00Z\\u0000"}}', '{"\\ud800":1}', '{"createdAt":{},"createdAt":{}}', '{"__proto__":{}}', deepObject(21), deepObject(1_000), '{"createdAt":{"gte":"infinity"}}',
    '{"createdAt":{"gte":"-4713-01-01T00:00:00Z"}}', '{"createdAt":{"gte":"+275760-09-13T00:00:00Z"}}',
  ].map((text) => ({ name: text.slice(0, 60), text })))('$$filter $name', async ({ text }) => {
    expect(await list(filter(text))).toBe(400);
  });

  test.each([
    '$filter[createdAt][gte]=', '$filter[createdAt]=x', '$filter[createdAt][gte][x]=1', '$filter[]=1', '$filter[=1', '$filter]=1', '$filter[a][b][c][d]=1', '$filter[__proto__][x]=1', '$filter[constructor][prototype]=1',
    '$filter[createdAt][gte]=2025-01-01T00:00:00Z&$filter[createdAt][gte]=2025-01-01T00:00:00Z', '$filter={}&$filter={}', '$filter={}&$filter[createdAt][gte]=2025-01-01T00:00:00Z', '$orderBy=asc', '$orderBy[createdAt]=up', '$orderBy[id]=asc',
    '$orderBy=[]', '$limit=', '$limit=0', '$limit=-1', '$limit=1.5', '$limit=1e2', '$limit=0x10', '$limit=99999999999999999999', '$limit=1001', '$limit=+1', '$limit=1&$limit=1', '$limit[]=1', 'limit=1', '%24limit=0', '%00=1', 'a=%00', '$limit=%00',
    '%=1', 'a=%', 'a=%ff', '=', '&&&=&', '$offset=1', `x=${'y'.repeat(10_000)}`, '$filter=%7B%22createdAt%22',
  ].map((query) => ({ name: query.slice(0, 60), query })))('$name', async ({ query }) => {
    expect(await list(query)).toBe(400);
  });

  test.each(['$filter={}', '$orderBy={}', '%24limit=5', '$limit=1000', '$filter[createdAt][gte]=0001-01-01T00:00:00Z', '$filter[createdAt][lte]=9999-12-31T23:59:59.999Z', '$filter[createdAt][gt]=2025-01-01T00:00:00.123456789-14:00', '&'])('%s is a query', async (query) => {
    expect(await list(query)).toBe(200);
  });

  test('$filter of any text', () =>
    fc.assert(fc.asyncProperty(fc.oneof(fc.json({ maxDepth: 3 }), fc.string({ unit: 'binary' }), fc.jsonValue().map((value) => JSON.stringify({ createdAt: value }))), async (text) => {
      expect([200, 400]).toContain(await list(filter(text.toWellFormed())));
    }), { numRuns: 150 }));

  test('unknown ones, on every operation', () =>
    each(operations.filter(({ principal }) => principal !== 'public'), async (one) => {
      const { status } = await raw({ method: one.method, target: `${pathOf(one)}?tpyo=1`, headers: [credentialsOf(one)] });
      expect({ id: one.id, isRefused: status === 400 || (status === 415 && one.mediaTypes.length > 0) }).toEqual({ id: one.id, isRefused: true });
    }));

  test.each(['offset=-1', 'offset=9007199254740993', 'offset=1e3', 'offset=', 'limit=0', 'limit=101', 'limit=ten', 'limit=1&limit=2', 'limit=100000000000000000000'])('registry lists: %s', async (query) => {
    for (const id of ['listAccountHolders', 'listFacilities', 'listCertificates', 'listRegistryTransactions', 'listImports']) {
      const each = operation(id);
      expect((await raw({ target: `${each.path}?${query}`, headers: [credentialsOf(each)] })).status).toBe(400);
    }
  });

  test('the farthest page is empty', async () => {
    for (const id of ['listAccountHolders', 'listFacilities', 'listCertificates', 'listRegistryTransactions', 'listImports']) {
      for (const offset of ['2147483648', '9007199254740991']) {
        const answer = await system.registry.send<{ data: unknown[] }>('GET', operation(id).path, { query: { offset } });
        expect([id, offset, answer.status === 400 || answer.body.data.length === 0]).toEqual([id, offset, true]);
      }
    }
  });
});

describe('credentials', () => {
  const as = async (header: string, target = userPath): Promise<number> => (await raw({ target, headers: [['Authorization', header]] })).status;
  const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');

  test('odd ones are 401', async () => {
    const { apiKeyId: id, passphrase } = operator(system.channels[0]);
    const headers = [
      '', ' ', 'Basic', 'Basic ', 'Basic =', 'Basic ====', 'Basic !', 'Basic a', 'Basic %00', `Basic ${base64('')}`, `Basic ${base64(':')}`, `Basic ${base64('a')}`, `Basic ${base64(`${id}:`)}`, `Basic ${base64(`${id}\0:${passphrase}`)}`,
      `Basic ${base64(`${id}:${passphrase}\0`)}`, `Basic ${base64(`${id}:${passphrase}\n`)}`, `Basic ${base64(Buffer.from([0xff, 0x3a, 0xff]))}`, `Basic ${base64(`${'x'.repeat(5_000)}:y`)}`, `Basic ${base64(`x:${'y'.repeat(5_000)}`)}`,
      `Basic ${base64(`${id}:${passphrase.toUpperCase()}`)}`, `Basic ${base64(`${id.toUpperCase()}:${passphrase}`)}`, `Basic ${base64(`' or 1=1--:x`)}`, `Basic ${base64(`${id}:${passphrase}`)} x`, `Basic ${base64(`${id}:${passphrase}`)}, Bearer x`,
      `${authorization}, ${authorization}`, `Digest ${id}`, 'Bearer', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Bearer ..', 'Bearer ä', `Bearer ${'a'.repeat(8_000)}`, 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
      `Bearer ${base64('{"alg":"none"}')}.${base64('{}')}.`, `Bearer ${base64('{"alg":"HS256","kid":"x"}')}.${base64('{"iss":"x"}')}.eA`, 'Negotiate x', '\u{ff}\u{fe}',
    ];
    await each(headers, async (header) => expect({ header: header.slice(0, 60), status: await as(header) }).toEqual({ header: header.slice(0, 60), status: 401 }));
    await each(headers, async (header) => expect({ header: header.slice(0, 60), status: await as(header, '/Registry/api/account-holders') }).toEqual({ header: header.slice(0, 60), status: 401 }));
  });

  test('of any bytes are 401', () =>
    fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.constantFrom('Basic', 'Bearer', 'basic'), async (bytes, scheme) => {
      expect(await as(`${scheme} ${base64(Buffer.from(bytes))}`)).toBe(401);
    }), { numRuns: 100 }));

  test('given twice are 401', async () => {
    expect((await raw({ target: userPath, headers: [['Authorization', authorization], ['Authorization', authorization]] })).status).toBe(401);
  });
});

describe('headers', () => {
  const post = (headers: [string, string][], body = '{"businessId":"b","name":"n","address":{}}') =>
    raw({ method: 'POST', target: userPath, headers: [['Authorization', authorization], ['Content-Type', 'application/json'], ...headers], body });

  test.each(['', ' ', 'a b', 'a.b', 'ä', '\u{1}', '"x"', 'x'.repeat(65), 'x'.repeat(10_000), 'a,b', 'a;b', 'a/b', '%41', '１'].map((key) => ({ name: key.slice(0, 20), key })))('Idempotency-Key "$name"', async ({ key }) => {
    const { status, problem } = await post([['Idempotency-Key', key]]);
    expect(status).toBe(400);
    if (problem?.type !== 'about:blank') expect(problem?.errors).toMatchObject([{ parameter: 'Idempotency-Key' }]);
  });

  test('Idempotency-Key: missing, twice, and the longest', async () => {
    expect((await post([])).status).toBe(400);
    expect((await post([['Idempotency-Key', 'a'], ['Idempotency-Key', 'b']])).status).toBe(400);
    for (const key of ['x'.repeat(64), '-', '_', '0', '-_-']) expect((await post([['Idempotency-Key', key]])).status).toBe(201);
  });

  test('a block of more than 16 KiB', async () => {
    expect((await raw({ target: '/healthz', headers: [['X-Large', 'x'.repeat(17_000)]] })).status).toBe(431);
    expect((await raw({ target: '/healthz', headers: Array.from({ length: 1_000 }, (_, index): [string, string] => [`X-${index}`, 'x'.repeat(10)]) })).status).toBeLessThan(500);
    expect((await raw({ target: `/healthz?${'x'.repeat(17_000)}` })).status).toBe(431);
  });

  test('of all sorts', async () => {
    const odd: [string, string][] = [
      ['traceparent', 'x'], ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`], ['traceparent', 'ff-'], ['tracestate', '='.repeat(600)], ['X-Forwarded-For', 'x,,\u{ff}'], ['Accept', 'image/png'], ['Accept', ';;'], ['Range', 'bytes=0-1'],
      ['If-Match', '*'], ['If-None-Match', '"x"'], ['Expect', '100-continue'], ['Expect', 'x'], ['Upgrade', 'websocket'], ['Cookie', 'x'.repeat(4_000)], ['Origin', 'null'], ['X-HTTP-Method-Override', 'DELETE'], ['Accept-Encoding', 'br'], ['X-Request-Id', 'x'.repeat(500)],
    ];
    await each(odd, async ([name, value]) => {
      const { status } = await raw({ target: userPath, headers: [['Authorization', authorization], [name, value]] });
      expect({ name, value: value.slice(0, 40), isAnswered: status < 500 }).toEqual({ name, value: value.slice(0, 40), isAnswered: true });
    });
  });
});

test('bytes that are no HTTP are refused or end the connection', async () => {
  const head = `Host: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n`;
  const streams = [
    'x', '\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /healthz HTTP/1.1\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', `GET / HTTP/1.1\r\n${head}A b: c\r\n\r\n`, `GET / HTTP/1.1\r\n${head}A: \0\r\n\r\n`,
    `GET /heal thz HTTP/1.1\r\n${head}\r\n`, `GET /\0 HTTP/1.1\r\n${head}\r\n`, `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: x\r\n\r\n{}`, `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n{}`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, `POST ${userPath} HTTP/1.1\r\n${head}Transfer-Encoding: gzip\r\n\r\n{}`, '\u{16}\u{3}\u{1}\u{2}\0\u{1}',
  ];
  for (const stream of streams) {
    const answer = await exchangeBytes(system.baseUrl, Buffer.from(stream, 'latin1'), true);
    expect({ stream, status: answer?.status ?? 400 }).toEqual({ stream, status: expect.any(Number) });
    expect(answer?.status ?? 400).toBeLessThan(500);
    if (answer && answer.status >= 400) expect({ stream, type: answer.headers['content-type'] }).toEqual({ stream, type: 'application/problem+json' });
  }
  await client.ok('GET', userPath);
});

describe('imports', () => {
  interface State {
    importId: string;
    status: string;
    linesRead: number;
    linesApplied: number;
    linesFailed: number;
  }

  async function importOf(body: Buffer | string, type: 'application/x-ndjson' | 'text/csv', query = ''): Promise<State> {
    const headers: [string, string][] = [['Authorization', registryAuthorization], ['Content-Type', type]];
    const { status, text } = await raw({ method: 'POST', target: `/Registry/api/imports${query}`, headers, body });
    expect(status).toBe(202);
    const { importId } = JSON.parse(text) as State;
    return eventually(async () => {
      const state = await system.registry.ok<State>('GET', `/Registry/api/imports/${importId}`);
      await system.registry.ok('GET', `/Registry/api/imports/${importId}/errors`);
      return (state.status === 'COMPLETED' || state.status === 'FAILED') && state;
    }, 'the end of the import');
  }

  test('of odd lines end, each line with its error', async () => {
    const holder = JSON.stringify({ type: 'account-holder', ...accountHolderBody() });
    const lines: (string | Buffer)[] = [
      '{', 'null', '1', '[]', '"x"', '{}', '{"type":"other"}', '{"type":"account-holder"}', deepObject(1_000), deepArray(100_000), holder.replace('Basalt', '\\u0000'), holder.replace('Basalt', '\\ud800'), holder.replace('Basalt', '\0'),
      Buffer.from([0x7b, 0xff, 0x7d]), holder.replace('"name":', '"name":"a","name":'), holder.replace('"name":', '"tpyo":1,"name":'), JSON.stringify({ type: 'issuance', ...issuanceBody(system.channels[0], { firstSerial: '9'.repeat(39) }) }),
      JSON.stringify({ type: 'issuance', ...issuanceBody(system.channels[0], { issuanceId: 'x' }) }), JSON.stringify({ type: 'issuance', ...issuanceBody(system.channels[0], { vintage: Infinity }) }),
      JSON.stringify({ type: 'issuance', ...issuanceBody(system.channels[0], { lastSerial: '9'.repeat(38) }) }), JSON.stringify({ type: 'issuance', ...issuanceBody(system.channels[0], { standard: '\u{0}' }) }),
      JSON.stringify({ type: 'production-facility', code: 'toolong', name: 'x', country: 'FI', methodologyCodes: [], supplier: 'x' }), JSON.stringify({ type: 'production-facility', code: 'ODD001', name: 'x\u{0}', country: 'FI', methodologyCodes: ['\u{0}'], supplier: 'x\u{0}' }),
      'x'.repeat(1_100_000),
    ];
    const file = Buffer.concat([...lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]), Buffer.from(holder)]);
    // Of two members of one name the last one counts, as in any JSON.
    const applied = 2;
    expect(await importOf(file, 'application/x-ndjson')).toMatchObject({ status: 'COMPLETED', linesRead: lines.length + 1, linesApplied: applied, linesFailed: lines.length + 1 - applied });
  });

  test.each([
    ['empty', ''], ['of line ends', '\n\n\r\n'], ['of one NUL', '\0'], ['of bytes', Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 7919) % 256))], ['with a byte order mark', `\u{feff}${JSON.stringify({ type: 'account-holder', ...accountHolderBody() })}\n`],
  ])('a file %s', async (_, body) => {
    for (const [type, query] of [['application/x-ndjson', ''], ['text/csv', '?type=issuance']] as const) expect(['COMPLETED', 'FAILED']).toContain((await importOf(body, type, query)).status);
  });

  test('CSV of any text', () =>
    fc.assert(fc.asyncProperty(fc.array(fc.array(fc.oneof(fc.string({ maxLength: 12, unit: 'binary' }), fc.constantFrom('name', 'businessId', 'address.city', '"', '""', '\0'))).map((cells) => cells.join(','))).map((rows) => rows.join('\n')), async (text) => {
      expect(['COMPLETED', 'FAILED']).toContain((await importOf(text, 'text/csv', '?type=account-holder')).status);
    }), { numRuns: 25 }));
});

test('after all that nothing has moved but what may', async () => {
  const [channel] = system.channels;
  await system.drained();
  expect((await bundlesOf(client, seller(channel).id, bundle.issuanceId)).reduce((sum, { volume }) => sum + volume, 0)).toBeGreaterThan(0);
  await system.as('nobody').ok('GET', '/readyz');
});
