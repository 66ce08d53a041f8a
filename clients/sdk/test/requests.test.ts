import { afterEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as sdk from '../src/index.ts';
import { formatDecimal, readJson, writeJson } from '../src/json.ts';
import { pause, retryAfterMs } from '../src/timing.ts';
import { inTurn, json, problem, startServer, type Reply, type Server } from './support/server.ts';

let server: Server | undefined;
afterEach(() => server?.stop());

async function serve(...replies: readonly [Reply, ...Reply[]]): Promise<Server> {
  server = await startServer(inTurn(...replies));
  return server;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('filters are JSON in the query, ids are escaped, and prices keep their digits', async () => {
  const { client, received } = await serve(json(200, []), json(201, { taskId: 'k1' }));
  await all(client().inventory.list('a/b', { $filter: { vintage: { eq: '2024' } } }));
  const { pathname, searchParams } = new URL(received[0]?.url ?? '', 'http://localhost');
  expect(pathname).toBe('/saleschannel-services/v1/traders/a%2Fb/inventory');
  expect(Object.fromEntries(searchParams)).toEqual({ $limit: '1000', $filter: '{"vintage":{"eq":"2024"}}' });
  const assets = [{ start: 'i_007', end: 'i_009', unitPrice: '149.500000' }];
  await client().trades.start('t1', { buyerId: 't2', currency: 'EUR', assets });
  expect(received[1]?.body).toBe(
    '{"buyerId":"t2","currency":"EUR","assets":[{"start":"i_007","end":"i_009","unitPrice":149.500000}]}',
  );
  expect(received[1]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'saleschannel-sdk',
    authorization: `Basic ${btoa('key:secret')}`,
  });
});

test('expanded members are sent with commas', async () => {
  const totals = { volume: 2, price: '0.3', currency: 'EUR' };
  const { client, received } = await serve(json(200, [{ id: 'tx1', sellerName: 'One', buyerName: null, totals }]));
  const [found] = await all(client().transactions.list({ expand: ['names', 'totals'] }));
  expect([found?.sellerName, found?.totals.price]).toEqual(['One', '0.3']);
  const { searchParams } = new URL(received[0]?.url ?? '', 'http://localhost');
  expect(Object.fromEntries(searchParams)).toEqual({ $limit: '1000', $expand: 'names,totals' });
});

test('metadata stay texts', async () => {
  const { client, received } = await serve(json(201, { taskId: 'k1' }));
  const assets = [{ start: 'i_1', end: 'i_1' }];
  await client().offramps.start('t1', { assets, metadata: { unitPrice: '149.50' } });
  await client().offramps.start('t1', { assets, metadata: { unitPrice: 'as agreed' } });
  expect(received.map(({ body }) => (JSON.parse(body) as { metadata: unknown }).metadata)).toEqual([
    { unitPrice: '149.50' },
    { unitPrice: 'as agreed' },
  ]);
});

test('an abort ends a list', async () => {
  const { client } = await serve(json(200, [{ id: 'a' }, { id: 'b' }]));
  const ending = new AbortController();
  const list = client().traders.list({}, { signal: ending.signal });
  expect(await list.next()).toMatchObject({ value: { id: 'a' } });
  ending.abort(new Error('enough'));
  await expect(list.next()).rejects.toThrow('enough');
});

test('browser workers send only headers that the service allows to pages', async () => {
  const { client, received } = await serve(json(200, { id: 't1' }));
  Object.assign(globalThis, { WorkerGlobalScope: () => undefined });
  try {
    await client().traders.get('t1');
  } finally {
    Reflect.deleteProperty(globalThis, 'WorkerGlobalScope');
  }
  expect(received[0]?.headers['user-agent']).not.toBe('saleschannel-sdk');
});

test.each(['', '.', '..'])('the id "%s" would name another path and is refused', async (id) => {
  const { client, received } = await serve(json(200, {}));
  await expect(client().traders.get(id)).rejects.toThrow(TypeError);
  expect(received).toHaveLength(0);
});

test('lists follow links, behind any path prefix', async () => {
  const link = { Link: '</saleschannel-services/v1/traders?%24limit=2&%24after=abc>; rel="next"' };
  const { client, received, url } = await serve(json(200, [{ id: 'a' }, { id: 'b' }], link), json(200, [{ id: 'c' }]));
  const found = await all(client({ baseUrl: `${url}/api/` }).traders.list({ $limit: 2 }));
  expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(received[1]?.url).toBe('/api/saleschannel-services/v1/traders?%24limit=2&%24after=abc');
});

test.each(['https://elsewhere.example/x', '//elsewhere.example/x'])(
  'pages on another server are refused: %s',
  async (target) => {
    const { client, received } = await serve(json(200, [{ id: 'a' }], { Link: `<${target}>; rel="next"` }));
    await expect(all(client().traders.list())).rejects.toThrow('on another server');
    expect(received).toHaveLength(1);
  },
);

test('lists can be revalidated, and read as CSV', async () => {
  const { client, received } = await serve(
    (response) => void response.writeHead(304).end(),
    (response) => void response.writeHead(200, { 'Content-Type': 'text/csv' }).end('id\r\n'),
  );
  const headers = { 'If-None-Match': 'W/"x"' };
  const path = { traderId: 't1' };
  await expect(client().request('listInventory', { path, headers })).rejects.toThrow(sdk.NotModifiedError);
  expect(await client().requestText('listInventory', 'text/csv', { path })).toBe('id\r\n');
  expect(received[1]?.headers.accept).toBe('text/csv');
});

test('a merge patch has its media type', async () => {
  const { client, received } = await serve(json(200, {}));
  await client().traders.update('t1', { name: 'Fjord AS' });
  expect(received[0]).toMatchObject({ method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } });
});

test.each([
  [400, 'invalid-request', sdk.ValidationError],
  [400, 'malformed-body', sdk.ValidationError],
  [400, 'request-refused', sdk.RequestRefusedError],
  [400, 'idempotency-key-reused', sdk.IdempotencyKeyReusedError],
  [401, 'unauthenticated', sdk.UnauthenticatedError],
  [403, 'forbidden', sdk.ForbiddenError],
  [403, 'sales-channel-suspended', sdk.SuspendedError],
  [404, 'not-found', sdk.NotFoundError],
  [409, 'of-a-later-version', sdk.ApiError],
  [429, 'rate-limited', sdk.RateLimitedError],
  [500, 'internal', sdk.InternalError],
  [503, 'unavailable', sdk.UnavailableError],
])('%i %s has its own error class', async (status, type, kind) => {
  const { client } = await serve(problem(status, type, { requestId: 'r1' }));
  const failure = await client({ retries: 0 })
    .traders.get('t1')
    .catch((error: unknown) => error);
  expect((failure as Error).constructor).toBe(kind);
  expect(failure).toMatchObject({ status, type: `/problems/${type}`, requestId: 'r1' });
});

test('a sign-in that is too old states the requirement and requests no other token', async () => {
  const challenge = 'Bearer error="insufficient_user_authentication", error_description="x", max_age="900"';
  const { client, received } = await serve(
    problem(401, 'unauthenticated', {}, { 'WWW-Authenticate': `${challenge}, acr_values="mfa urn:phr"` }),
    problem(401, 'unauthenticated', {}, { 'WWW-Authenticate': challenge }),
    problem(401, 'unauthenticated', {}, { 'WWW-Authenticate': 'Bearer realm="saleschannel"' }),
  );
  const calls: unknown[] = [];
  const accessToken = ({ refused }: { refused: string | undefined }): string => {
    calls.push(refused);
    return 'a-token';
  };
  const failure = () =>
    client({ credentials: { accessToken } })
      .request('createApiKey')
      .catch((error: unknown) => error);
  const first = await failure();
  expect(first).toBeInstanceOf(sdk.FreshSignInRequiredError);
  expect(first).toBeInstanceOf(sdk.UnauthenticatedError);
  expect(first).toMatchObject({ maxAgeSeconds: 900, acrValues: ['mfa', 'urn:phr'], status: 401 });
  expect(await failure()).toMatchObject({ name: 'FreshSignInRequiredError', maxAgeSeconds: 900, acrValues: [] });
  expect(calls).toEqual([undefined, undefined]);
  expect(received).toHaveLength(2);
  expect(await failure()).toMatchObject({ name: 'UnauthenticatedError' });
});

test('a response of a proxy becomes an error of its status', async () => {
  const { client } = await serve((response) => void response.writeHead(502).end('<html>'));
  await expect(client({ retries: 0 }).traders.get('t1')).rejects.toThrow(sdk.UnavailableError);
});

test.each(['http://api.example.org', 'ftp://127.0.0.1', 'https://key:secret@api.example.org'])(
  'credentials are not sent to %s',
  (baseUrl) => {
    const credentials = { apiKeyId: 'key', passphrase: 'secret' };
    expect(() => new sdk.SalesChannel({ baseUrl, credentials })).toThrow(TypeError);
  },
);

describe('JSON', () => {
  const prices = fc
    .tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.integer({ min: 0, max: 999_999 }))
    .map(([whole, micros]) => `${whole}.${String(micros).padStart(6, '0')}`.replace(/\.?0{1,7}$/, ''))
    .map((text) => (text === '' ? '0' : text));

  test('every price of the contract keeps its digits', () => {
    fc.assert(
      fc.property(prices, (price) => {
        const { unitPrice } = readJson(`{"unitPrice":${price}}`) as { unitPrice: number };
        expect(typeof unitPrice).toBe('number');
        expect(formatDecimal(unitPrice)).toBe(price);
        expect(writeJson({ unitPrice: price })).toBe(`{"unitPrice":${price}}`);
      }),
    );
  });

  test.each([
    ['9007199254740993', '9007199254740993'],
    ['0.12345678901234567890', '0.12345678901234567890'],
    ['-123456789012345678', '-123456789012345678'],
    ['1e400', '1e400'],
    ['9007199254740991', 9007199254740991],
    ['10000000000000000000', 10000000000000000000],
    ['1.50000000000000000000', 1.5],
    ['1e3', 1000],
  ])('the number %s is read as %p', (text, expected) => {
    expect(readJson(`[{"n": ${text}}]`)).toEqual([{ n: expected }]);
    expect(readJson(text)).toEqual(expected);
  });

  test('numbers within texts stay unchanged', () => {
    const texts = [
      'a: 90071992547409931234',
      '"quoted\\" : 90071992547409931234"',
      'i_00000000000000000000000000000001',
    ];
    expect(readJson(JSON.stringify({ texts, n: 1 }))).toEqual({ texts, n: 1 });
  });

  test("JSON without prices is the same as the platform's", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value)).toBe(JSON.stringify(value));
        expect(readJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const at = new Date(0);
    expect(writeJson({ at, none: undefined, list: [undefined] })).toBe(JSON.stringify({ at, list: [null] }));
  });

  test.each(['', '1,5', '1e3', '0x10', 'NaN', '01', '1.', '1, "x": 2'])('"%s" is not a price', (unitPrice) => {
    expect(() => writeJson({ assets: [{ unitPrice }] })).toThrow(TypeError);
  });

  test.each([
    [1e-7, '0.0000001'],
    [1.25e-7, '0.000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
    ['9007199254740993', '9007199254740993'],
    [0.000001, '0.000001'],
  ])('the digits of %p are exact', (price, text) => expect(formatDecimal(price)).toBe(text));
});

describe('timing', () => {
  const now = Date.parse('2026-03-04T10:00:00.000Z');

  test.each([
    ['0', 0],
    [' 7 ', 7_000],
    ['3600', 3_600_000],
    ['99999999999999', 99_999_999_999_999_000],
    ['Wed, 04 Mar 2026 10:00:05 GMT', 5_000],
    ['Wednesday, 04-Mar-26 10:00:05 GMT', 5_000],
    ['Wed, 04 Mar 2026 09:00:00 GMT', 0],
  ])('Retry-After: %s is %i ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));

  // Date.parse reads many of these as past dates, which would mean an immediate retry.
  test.each(['', '-5', '1.5', '120, 5', '5 s', 'soon', '2001-01-01'])('Retry-After: %s is ignored', (header) =>
    expect(retryAfterMs(header, now)).toBeUndefined(),
  );

  test('a delay beyond the timer limit does not fire at once', async () => {
    const ending = new AbortController();
    const long = pause(2 ** 40, ending.signal).then(
      () => 'over',
      () => 'aborted',
    );
    expect(await Promise.race([long, pause(30, undefined)])).toBeUndefined();
    ending.abort();
    expect(await long).toBe('aborted');
  });
});
