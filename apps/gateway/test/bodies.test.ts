import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { fakes } from './support/fakes.ts';
import { expectProblem } from './support/http.ts';
import { findOperation } from './support/public-contract.ts';
import { startSystem, type System, type User } from './support/system.ts';

let system: System;
let user: User;
beforeAll(async () => {
  system = await startSystem();
  user = system.user({ accountHolderId: 'h1' });
});
afterAll(() => system.stop());

const trade = () =>
  structuredClone(findOperation('startTrade').example) as { assets: Record<string, unknown>[] } & Record<
    string,
    unknown
  >;
const post = (body: string | Buffer, headers: Record<string, string | string[]> = {}, chunked = false) =>
  system.raw({
    method: 'POST',
    path: '/saleschannel-services/v1/traders/t1/inventory/trade',
    headers: {
      Authorization: user.authorization,
      'Content-Type': 'application/json',
      'Idempotency-Key': newId(),
      ...headers,
    },
    body,
    chunked,
  });

describe('a body', () => {
  test.each([
    ['the wrong media type', { 'Content-Type': 'text/plain' }],
    ['no media type', { 'Content-Type': '' }],
    ['two media types', { 'Content-Type': ['application/json', 'application/json'] }],
    ['a charset other than UTF-8', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['a merge patch where none is read', { 'Content-Type': 'application/merge-patch+json' }],
    ['compression', { 'Content-Encoding': 'gzip' }],
    ['an unknown coding', { 'Content-Encoding': 'identity, br' }],
  ])('with %s gets 415', async (_what, headers) => {
    expectProblem(await post(JSON.stringify(trade()), headers), 415, 'unsupported-media-type');
  });

  test.each([
    ['application/json; charset=utf-8', {}],
    ['Application/JSON;charset="UTF-8"', {}],
    ['application/json', { 'Content-Encoding': 'identity' }],
  ])('of type %s is accepted', async (type, headers) => {
    expect((await post(JSON.stringify(trade()), { 'Content-Type': type, ...headers })).status).toBe(201);
  });

  test.each([false, true])('of more than 256 KiB gets 413 (chunked: %s)', async (chunked) => {
    const problem = await post(Buffer.alloc(262_145, 0x20), {}, chunked);
    expectProblem(problem, 413, 'payload-too-large');
    expect(
      (await post(Buffer.concat([Buffer.from(JSON.stringify(trade())), Buffer.alloc(250_000, 0x20)]), {}, chunked))
        .status,
    ).toBe(201);
  });

  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['half an object', '{"assets":['],
    ['text', 'hello'],
    ['two values', '{}{}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a byte order mark', '\ufeff{}'],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['a raw NUL', '{"a":"\0"}'],
  ])('of %s is malformed', async (_what, body) => {
    expectProblem(await post(body), 400, 'malformed-body');
  });

  test.each<[string, string, string, string]>([
    ['a repeated member', '{"currency":"EUR","currency":"USD"}', '#/currency', 'repeated-member'],
    ['an inexact price', '{"assets":[{"unitPrice":0.12345678901234567891}]}', '#/assets/0/unitPrice', 'inexact-number'],
    ['an infinite price', '{"assets":[{"unitPrice":1e400}]}', '#/assets/0/unitPrice', 'inexact-number'],
    ['a hundred thousand digits', `{"a":0.1${'0'.repeat(100_000)}1}`, '#/a', 'number-length'],
    ['a quarter of a megabyte of {}', `{"x":[${'{},'.repeat(85_000)}{}]}`, '#/x', 'too-many-values'],
    [
      'ten thousand unknown members',
      `{${Array.from({ length: 10_000 }, (_, index) => `"m${index}":0`).join()}}`,
      '#',
      'too-many-members',
    ],
    ['an escaped NUL', '{"buyerId":"a\\u0000"}', '#/buyerId', 'nul-character'],
    ['half a surrogate pair', '{"buyerId":"\\ud800"}', '#/buyerId', 'lone-surrogate'],
    ['21 levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, `#/a${'/0'.repeat(19)}`, 'too-deep'],
  ])('with %s is refused', async (_what, body, pointer, code) => {
    const { errors } = expectProblem(await post(body), 400, 'invalid-request');
    expect(errors).toEqual([{ pointer, code, detail: expect.any(String) }]);
  });

  test.each<[string, unknown, string, string]>([
    ['an unknown member', { ...trade(), note: 1 }, '#/note', 'unknown-member'],
    ['__proto__', JSON.parse('{"__proto__":{"x":1}}'), '#/__proto__', 'unknown-member'],
    ['a constructor', { ...trade(), constructor: {} }, '#/constructor', 'unknown-member'],
    ['no price', { ...trade(), assets: [{ start: 'a_1', end: 'a_2' }] }, '#/assets/0/unitPrice', 'required'],
    [
      'seven fraction digits',
      { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: 0.1234567 }] },
      '#/assets/0/unitPrice',
      'fraction-digits',
    ],
    [
      'a tiny price',
      { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: 1e-7 }] },
      '#/assets/0/unitPrice',
      'fraction-digits',
    ],
    [
      'a negative price',
      { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: -1 }] },
      '#/assets/0/unitPrice',
      'minimum',
    ],
    [
      'an unprefixed serial',
      { ...trade(), assets: [{ start: '1', end: 'a_2', unitPrice: 1 }] },
      '#/assets/0/start',
      'pattern',
    ],
    ['no assets', { ...trade(), assets: [] }, '#/assets', 'minItems'],
    ['a wrong currency', { ...trade(), currency: 'GBP' }, '#/currency', 'enum'],
    ['a list', [], '#', 'type'],
    ['null', null, '#', 'type'],
  ])('with %s is refused', async (_what, body, pointer, code) => {
    const { errors } = expectProblem(await post(JSON.stringify(body)), 400, 'invalid-request');
    expect(errors).toContainEqual({ pointer, code, detail: expect.any(String) });
  });

  test('with too many selections gets only this violation', async () => {
    const assets = Array.from({ length: 1_001 }, () => ({}));
    expect(expectProblem(await post(JSON.stringify({ ...trade(), assets })), 400, 'invalid-request').errors).toEqual([
      { pointer: '#/assets', code: 'maxItems', detail: 'must have at most 1000 items' },
    ]);
  });

  test('with too many decimal places gets their maximum', async () => {
    const body = { ...trade(), assets: [{ start: 'a_1', end: 'a_2', unitPrice: 0.1234567 }] };
    expect(expectProblem(await post(JSON.stringify(body)), 400, 'invalid-request').errors).toEqual([
      {
        pointer: '#/assets/0/unitPrice',
        code: 'fraction-digits',
        detail: 'must have at most 6 decimal places',
      },
    ]);
  });

  test('with a thousand faults gets twenty violations', async () => {
    const assets = Array.from({ length: 1_000 }, () => ({}));
    expect(
      expectProblem(await post(JSON.stringify({ ...trade(), assets })), 400, 'invalid-request').errors,
    ).toHaveLength(20);
  });

  test.each([
    '2025-02-29T00:00:00.000Z',
    '2016-12-31T23:59:60Z',
    '2024-01-01 00:00:00Z',
    '2024-01-01T00:00:00',
    '0000-01-01T00:00:00Z',
  ])('with the time %s is refused', async (start) => {
    const body = {
      ...(findOperation('startRetirement').example as object),
      consumptionPeriod: { start, end: '2030-01-01T00:00:00Z' },
    };
    const { errors } = expectProblem(await system.call('startRetirement', { body }), 400, 'invalid-request');
    expect(errors).toEqual([{ pointer: '#/consumptionPeriod/start', code: 'format', detail: expect.any(String) }]);
  });

  test.each([
    ['a line end', 'a\r\nb'],
    ['an escape', '\u001b[2J'],
    ['a control character of C1', 'a\u0085b'],
    ['a change of the writing direction', 'a\u202eb'],
  ])('with %s in a name gets the violation of a service', async (_name, name) => {
    const body = { ...(findOperation('createTrader').example as object), name };
    const { errors } = expectProblem(await system.call('createTrader', { body }), 400, 'invalid-request');
    expect(errors).toEqual([{ pointer: '#/name', detail: 'must not contain control characters', code: 'pattern' }]);
  });

  test('with a name that a spreadsheet would read as a formula is accepted', async () => {
    for (const name of ['=1+1', '+1', '-1', '@a']) {
      const body = { ...(findOperation('createTrader').example as object), name };
      expect((await system.call('createTrader', { body })).status).toBe(201);
    }
  });

  test('that breaks off does no harm', async () => {
    const socket = connect(Number(system.address.split(':')[1]), '127.0.0.1');
    const head = [
      'POST /authentication/users/me/api-keys HTTP/1.1',
      'Host: x',
      `Authorization: ${user.authorization}`,
      'Content-Length: 100',
      '',
      '',
    ];
    socket.write(`${head.join('\r\n')}{"half":`, () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await system.call('getHealth')).status).toBe(200);
  });
});

describe('an operation without a body', () => {
  test.each(['createApiKey', 'acceptProposal', 'listEvents', 'deleteApiKey'])(
    '%s accepts none and an empty object',
    async (operation) => {
      for (const body of [undefined, '', '{}', ' { } '])
        expect(
          (await system.call(operation, { body, headers: { 'Content-Type': 'application/json' } })).status,
        ).toBeLessThan(300);
    },
  );

  test.each(['{"a":1}', '[]', 'x', 'x'.repeat(2_000)])('%s is refused', async (body) => {
    expectProblem(await system.call('createApiKey', { body }), 400, 'invalid-request');
  });
});

describe('an Idempotency-Key', () => {
  test.each([['startTrade'], ['startRetirement'], ['startOfframp'], ['createTrader']])(
    'of %s is required and validated',
    async (operation) => {
      for (const key of ['', 'a b', 'x'.repeat(65), 'ä', 'a,b', ['a', 'b']]) {
        const { errors } = expectProblem(
          await system.call(operation, { headers: { 'Idempotency-Key': key } }),
          400,
          'invalid-request',
        );
        expect(errors).toEqual([expect.objectContaining({ parameter: 'Idempotency-Key' })]);
      }
    },
  );

  test('of an onramp is optional: each request without one is new', async () => {
    const keys: string[] = [];
    system.rpcs.registryImport['Onramp'] = (request) => {
      keys.push(String((request as { idempotencyKey?: string }).idempotencyKey));
      return { ...(fakes.registryImport.Onramp() as object), replayed: keys.length === 4 };
    };
    const { path, example } = findOperation('onramp');
    const send = (headers: Record<string, string> = {}) =>
      system.raw({
        method: 'POST',
        path: path.replace('{accountHolderId}', 'h1'),
        headers: { Authorization: system.registryKey().authorization, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(example),
      });
    expect([(await send()).status, (await send()).status]).toEqual([201, 201]);
    const first = await send({ 'Idempotency-Key': 'mine' });
    const second = await send({ 'Idempotency-Key': 'mine' });
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{1,64}$/), expect.any(String), 'mine', 'mine']);
    expect(keys[0]).not.toBe(keys[1]);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.headers['idempotency-replayed']).toBe('true');
    const wrong = await send({ 'Idempotency-Key': 'a b' });
    expect(expectProblem(wrong, 400, 'invalid-request').errors).toMatchObject([{ parameter: 'Idempotency-Key' }]);
  });

  test('that is missing is reported', async () => {
    const answer = await system.raw({
      method: 'POST',
      path: '/saleschannel-services/v1/traders',
      headers: { Authorization: user.authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify(findOperation('createTrader').example),
    });
    expect(expectProblem(answer, 400, 'invalid-request').errors).toEqual([
      { parameter: 'Idempotency-Key', detail: 'is required', code: 'required' },
    ]);
  });
});
