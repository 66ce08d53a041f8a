import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { exchangeBytes, expectIntact, userPath, useBadInput } from '../support/bad-input.ts';
import { operator, inParallel } from '../support/api.ts';

/** Credentials, other headers, and bytes that are not HTTP. */

const world = useBadInput();

describe('credentials', () => {
  const as = async (header: string, target = userPath): Promise<number> =>
    (await world().raw({ target, headers: [['Authorization', header]] })).status;
  const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');

  test('malformed ones are answered 401', async () => {
    const { id, secret } = operator(world().system.channels[0]).apiKey;
    const headers = [
      '',
      ' ',
      'Basic',
      'Basic ',
      'Basic =',
      'Basic ====',
      'Basic !',
      'Basic a',
      'Basic %00',
      `Basic ${base64('')}`,
      `Basic ${base64(':')}`,
      `Basic ${base64('a')}`,
      `Basic ${base64(`${id}:`)}`,
      `Basic ${base64(`${id}\0:${secret}`)}`,
      `Basic ${base64(`${id}:${secret}\0`)}`,
      `Basic ${base64(`${id}:${secret}\n`)}`,
      `Basic ${base64(Buffer.from([0xff, 0x3a, 0xff]))}`,
      `Basic ${base64(`${'x'.repeat(5_000)}:y`)}`,
      `Basic ${base64(`x:${'y'.repeat(5_000)}`)}`,
      `Basic ${base64(`${id}:${secret.toUpperCase()}`)}`,
      `Basic ${base64(`${id.toUpperCase()}:${secret}`)}`,
      `Basic ${base64(`' or 1=1--:x`)}`,
      `Basic ${base64(`${id}:${secret}`)} x`,
      `Basic ${base64(`${id}:${secret}`)}, Bearer x`,
      `${world().authorization}, ${world().authorization}`,
      `Digest ${id}`,
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Bearer a.b.c',
      'Bearer ..',
      'Bearer ä',
      `Bearer ${'a'.repeat(8_000)}`,
      'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
      `Bearer ${base64('{"alg":"none"}')}.${base64('{}')}.`,
      `Bearer ${base64('{"alg":"HS256","kid":"x"}')}.${base64('{"iss":"x"}')}.eA`,
      'Negotiate x',
      '\u{ff}\u{fe}',
    ];
    await inParallel(headers, async (header) =>
      expect({ header: header.slice(0, 60), status: await as(header) }).toEqual({
        header: header.slice(0, 60),
        status: 401,
      }),
    );
    await inParallel(headers, async (header) =>
      expect({ header: header.slice(0, 60), status: await as(header, '/Registry/api/account-holders') }).toEqual({
        header: header.slice(0, 60),
        status: 401,
      }),
    );
  });

  test('arbitrary bytes are answered 401', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('Basic', 'Bearer', 'basic'),
        async (bytes, scheme) => {
          expect(await as(`${scheme} ${base64(Buffer.from(bytes))}`)).toBe(401);
        },
      ),
      { numRuns: 100 },
    ));

  test('repeated ones are answered 401', async () => {
    expect(
      (
        await world().raw({
          target: userPath,
          headers: [
            ['Authorization', world().authorization],
            ['Authorization', world().authorization],
          ],
        })
      ).status,
    ).toBe(401);
  });
});

describe('headers', () => {
  const post = (headers: [string, string][], body = '{"businessId":"b","name":"n","address":{}}') =>
    world().raw({
      method: 'POST',
      target: userPath,
      headers: [['Authorization', world().authorization], ['Content-Type', 'application/json'], ...headers],
      body,
    });

  const keys = [
    '',
    ' ',
    'a b',
    'a.b',
    'ä',
    '\u{1}',
    '"x"',
    'x'.repeat(65),
    'x'.repeat(10_000),
    'a,b',
    'a;b',
    'a/b',
    '%41',
    '１',
  ];
  test.each(keys.map((key) => ({ name: key.slice(0, 20), key })))('Idempotency-Key "$name"', async ({ key }) => {
    const { status, problem } = await post([['Idempotency-Key', key]]);
    expect(status).toBe(400);
    if (problem?.type !== '/problems/malformed-request')
      expect(problem?.errors).toMatchObject([{ parameter: 'Idempotency-Key' }]);
  });

  test('Idempotency-Key: missing, repeated, and the longest', async () => {
    expect((await post([])).status).toBe(400);
    expect(
      (
        await post([
          ['Idempotency-Key', 'a'],
          ['Idempotency-Key', 'b'],
        ])
      ).status,
    ).toBe(400);
    for (const key of ['x'.repeat(64), '-', '_', '0', '-_-'])
      expect((await post([['Idempotency-Key', key]])).status).toBe(201);
  });

  test('headers of more than 16 KiB', async () => {
    expect((await world().raw({ target: '/healthz', headers: [['X-Large', 'x'.repeat(17_000)]] })).status).toBe(431);
    expect(
      (
        await world().raw({
          target: '/healthz',
          headers: Array.from({ length: 1_000 }, (_, index): [string, string] => [`X-${index}`, 'x'.repeat(10)]),
        })
      ).status,
    ).toBeLessThan(500);
    expect((await world().raw({ target: `/healthz?${'x'.repeat(17_000)}` })).status).toBe(431);
  });

  test('arbitrary headers', async () => {
    const odd: [string, string][] = [
      ['traceparent', 'x'],
      ['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
      ['traceparent', 'ff-'],
      ['tracestate', '='.repeat(600)],
      ['X-Forwarded-For', 'x,,\u{ff}'],
      ['Accept', 'image/png'],
      ['Accept', ';;'],
      ['Range', 'bytes=0-1'],
      ['If-Match', '*'],
      ['If-None-Match', '"x"'],
      ['Expect', '100-continue'],
      ['Expect', 'x'],
      ['Upgrade', 'websocket'],
      ['Cookie', 'x'.repeat(4_000)],
      ['Origin', 'null'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['Accept-Encoding', 'br'],
      ['X-Request-Id', 'x'.repeat(500)],
    ];
    await inParallel(odd, async ([name, value]) => {
      const { status } = await world().raw({
        target: userPath,
        headers: [
          ['Authorization', world().authorization],
          [name, value],
        ],
      });
      expect({ name, value: value.slice(0, 40), isAnswered: status < 500 }).toEqual({
        name,
        value: value.slice(0, 40),
        isAnswered: true,
      });
    });
  });
});

test('bytes that are not HTTP are rejected or end the connection', async () => {
  const head = `Host: x\r\nAuthorization: ${world().authorization}\r\nConnection: close\r\n`;
  const streams = [
    'x',
    '\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'FOO / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /healthz HTTP/1.1\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `GET / HTTP/1.1\r\n${head}A b: c\r\n\r\n`,
    `GET / HTTP/1.1\r\n${head}A: \0\r\n\r\n`,
    `GET /heal thz HTTP/1.1\r\n${head}\r\n`,
    `GET /\0 HTTP/1.1\r\n${head}\r\n`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: x\r\n\r\n{}`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n{}`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    `POST ${userPath} HTTP/1.1\r\n${head}Content-Type: application/json\r\n` +
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
    `POST ${userPath} HTTP/1.1\r\n${head}Transfer-Encoding: gzip\r\n\r\n{}`,
    '\u{16}\u{3}\u{1}\u{2}\0\u{1}',
  ];
  for (const stream of streams) {
    const answer = await exchangeBytes(world().system.baseUrl, Buffer.from(stream, 'latin1'), true);
    expect({ stream, status: answer?.status ?? 400 }).toEqual({ stream, status: expect.any(Number) });
    expect(answer?.status ?? 400).toBeLessThan(500);
    if (answer && answer.status >= 400)
      expect({ stream, type: answer.headers['content-type'] }).toEqual({ stream, type: 'application/problem+json' });
  }
  await world().client.ok('GET', userPath);
});

test('afterwards the system works', () => expectIntact(world()));
