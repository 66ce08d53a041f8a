import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { countAuthenticateCalls } from './support/system.ts';
import { connectTo, talk, expectProblem } from './support/http.ts';
import { findOperation } from './support/public-contract.ts';
import * as samples from './support/samples.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const get = (...headers: string[]): string => `${['GET /healthz HTTP/1.1', ...headers, '', ''].join('\r\n')}`;
const parseStatus = (answer: string): number => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
const problemIn = (answer: string) =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { type: string; errors?: object[] };

describe('a Host header', () => {
  test.each<[string, string[], string]>([
    ['none', [], 'required'],
    ['two', ['Host: a', 'Host: b'], 'repeated-parameter'],
    ['twice the same', ['Host: a', 'Host: a'], 'repeated-parameter'],
    ['an empty one', ['Host:'], 'format'],
    ['an empty one and another', ['Host:', 'Host: a'], 'repeated-parameter'],
    ['a path', ['Host: a/b'], 'format'],
    ['a user', ['Host: user@a'], 'format'],
    ['a space', ['Host: a b'], 'format'],
    ['an open bracket', ['Host: [::1'], 'format'],
    ['a port of letters', ['Host: a:b'], 'format'],
  ])('rejects %s', async (_what, headers, code) => {
    const answer = await talk(system.address, get(...headers));
    expect(parseStatus(answer)).toBe(400);
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(problemIn(answer)).toMatchObject({
      type: '/problems/invalid-request',
      errors: [expect.objectContaining({ parameter: 'Host', code })],
    });
  });

  test.each(['a', 'api.example.org:443', '127.0.0.1:8080', '[::1]:80', 'a_b.internal'])('accepts %s', async (host) => {
    expect(parseStatus(await talk(system.address, get(`Host: ${host}`, 'Connection: close')))).toBe(200);
  });
});

test.each(['gzip, chunked', 'chunked, chunked', 'gzip,chunked', 'identity, chunked'])(
  'rejects a body in the transfer coding %s',
  async (coding) => {
    const { authorization } = system.user();
    const body = JSON.stringify(findOperation('createTrader').example);
    const answer = await talk(
      system.address,
      [
        'POST /saleschannel-services/v1/traders HTTP/1.1',
        'Host: a',
        `Authorization: ${authorization}`,
        'Content-Type: application/json',
        `Idempotency-Key: ${newId()}`,
        `Transfer-Encoding: ${coding}`,
        '',
        `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ].join('\r\n'),
    );
    expect(parseStatus(answer)).toBe(400);
    expect(problemIn(answer).type).toBe('/problems/malformed-request');
  },
);

describe('a client that expects 100-continue', () => {
  const head = (authorization: string, length: number, ...more: string[]) =>
    [
      'POST /saleschannel-services/v1/traders HTTP/1.1',
      'Host: a',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      'Expect: 100-continue',
      ...more,
      '',
      '',
    ].join('\r\n');

  test('gets 100 if everything else is valid', async () => {
    const body = JSON.stringify(findOperation('createTrader').example);
    const socket = connectTo(system.address);
    const answer = Promise.withResolvers<string>();
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
    });
    socket.on('close', () => answer.resolve(text)).on('error', answer.reject);
    const { authorization } = system.user();
    socket.write(head(authorization, body.length, `Idempotency-Key: ${newId()}`, 'Connection: close'));
    expect(await answer.promise).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  test.each<[string, () => string, string[], number]>([
    ['without valid credentials', () => 'Bearer wrong', [], 401],
    ['without the role', () => system.user({ roles: [] }).authorization, [], 403],
    ['without its Idempotency-Key', () => system.user().authorization, [], 400],
  ])('%s gets its response at once, and a closed connection', async (_what, as, more, status) => {
    const answer = await talk(system.address, head(as(), 100, ...more));
    expect(parseStatus(answer)).toBe(status);
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(answer).not.toContain('100 Continue');
  });
});

test.each([
  'http://[/saleschannel-services/traders',
  'http://',
  'http://a b/',
  '//',
  '/%',
  '/saleschannel-services/v1/%ff',
])('the target %s gets a problem', async (target) => {
  const answer = await talk(system.address, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect([400, 404]).toContain(parseStatus(answer));
  expect(answer).toMatch(/^Content-Type: application\/problem\+json\r$/im);
});

test('invalid bytes do not answer the request before them', async () => {
  const { authorization } = system.user();
  const reached = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const usual = system.rpcs.traders['GetTrader'];
  if (!usual) throw new Error('the fake of GetTrader is missing');
  system.rpcs.traders['GetTrader'] = async () => {
    reached.resolve();
    await proceed.promise;
    return samples.trader;
  };
  const socket = connectTo(system.address);
  let text = '';
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (piece: Buffer) => (text += piece.toString())).on('error', () => undefined);
  socket.write(
    `GET /saleschannel-services/v1/traders/${newId()} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  await reached.promise;
  socket.write('nonsense\r\n\r\n');
  await closed;
  proceed.resolve();
  system.rpcs.traders['GetTrader'] = usual;
  expect(text).toBe('');
});

describe('a body long after its headers', () => {
  type Change = (credentials: System['credentials']['bearer'], token: string) => void;
  test.each<[string, Change, number]>([
    ['is accepted while the credentials are valid', () => undefined, 201],
    ['is rejected once the credentials are revoked', (bearer, token) => bearer.delete(token), 401],
    [
      'is rejected once the role is removed',
      (bearer, token) => {
        const principal = bearer.get(token);
        if (principal?.kind === 'user') bearer.set(token, { ...principal, roles: [] });
      },
      403,
    ],
  ])('%s', async (_what, change, status) => {
    let nowMs = 0;
    const slow = await startSystem({}, { now: () => nowMs });
    const { authorization } = slow.user();
    const body = JSON.stringify(findOperation('createTrader').example);
    const socket = connectTo(slow.address);
    const [called, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
      called.resolve();
    });
    socket.on('close', () => answered.resolve()).on('error', answered.reject);
    const head = [
      'POST /saleschannel-services/v1/traders HTTP/1.1',
      'Host: a',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      `Idempotency-Key: ${newId()}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await called.promise;
    change(slow.credentials.bearer, authorization.slice('Bearer '.length));
    nowMs += 2_001;
    socket.write(body);
    await answered.promise;
    expect(text).toMatch(new RegExp(`^HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 ${status} `));
    await slow.stop();
  });
});

describe('failed log-ins', () => {
  const toBasic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const goodKey = (target: System) => {
    const id = newId();
    target.credentials.basic.set(`${id}:good`, {
      surface: 'SALES_CHANNEL',
      principal: { kind: 'user', userId: newId(), salesChannelId: 'c1', roles: [], accountHolderId: undefined },
    });
    return { id, authorization: toBasic(id, 'good') };
  };
  const statuses = (answers: readonly { status: number }[]) => [...new Set(answers.map(({ status }) => status))];

  test('from one address never block a valid credential', async () => {
    // The clock stands still, so no attempt queues for too long on a busy machine.
    const limited = await startSystem({ FAILED_LOGINS_PER_MINUTE: '3' }, { now: () => 0 });
    const show = async (as: string) => {
      let answer = await limited.call('getOwnBinding', { as });
      while (answer.status === 503) answer = await limited.call('getOwnBinding', { as });
      return answer;
    };
    const good = Array.from({ length: 64 }, (_, index) =>
      index % 2 === 0 ? goodKey(limited).authorization : limited.user().authorization,
    );
    const rounds = await Promise.all(
      good.map(async (authorization) => {
        const bad = Array.from({ length: 6 }, (_, index) =>
          index % 2 === 0 ? toBasic(newId(), 'bad') : `Bearer ${newId()}`,
        );
        const [welcome, ...refused] = await Promise.all([authorization, ...bad].map(show));
        return { welcome, refused };
      }),
    );
    expect(statuses(rounds.flatMap(({ welcome }) => welcome ?? []))).toEqual([200]);
    const refused = rounds.flatMap((round) => round.refused);
    expect(statuses(refused).toSorted()).toEqual([401, 429]);
    expect(refused.filter(({ status }) => status === 429).length).toBeGreaterThan(300);
    await limited.stop();
  });

  test('with one key id from many addresses are limited, and never block its owner', async () => {
    // The clock stands still, as above. Attempts that could not be checked in time repeat.
    const settings = { FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: '3', TRUSTED_PROXIES: 'loopback' };
    const limited = await startSystem(settings, { now: () => 0 });
    const from = async (address: string, as: string) => {
      const ask = () => limited.call('getOwnBinding', { as, headers: { 'X-Forwarded-For': address } });
      let answer = await ask();
      while (answer.status === 503) answer = await ask();
      return answer;
    };
    const { id, authorization } = goodKey(limited);
    const guesses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => from(`192.0.2.${index}`, toBasic(id, `guess${index}`))),
    );
    expect(statuses(guesses).toSorted()).toEqual([401, 429]);
    const calls = countAuthenticateCalls(limited);
    const again = await from('192.0.2.0', toBasic(id, 'guess99'));
    expectProblem(again, 429, 'rate-limited');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
    expect(calls()).toBe(0);
    expect((await from('198.51.100.1', authorization)).status).toBe(200);
    expect((await from('192.0.2.0', authorization)).status).toBe(200);
    await limited.stop();
  });
});
