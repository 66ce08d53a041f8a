import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { loadContract } from '../src/contract/document.ts';
import { expectProblem, passTurns } from './support/http.ts';
import { findOperation } from './support/public-contract.ts';
import { startSystem, type System } from './support/system.ts';

/** Limits by cost: body size, work, and shares of sales channels. */

const KIB = 1_024;
const TRADE = '/saleschannel-services/v1/traders/t1/inventory/trade';

let system: System;
let nowMs: number;
beforeAll(async () => {
  nowMs = 0;
  const variables = { CHANNEL_RATE_LIMIT_PER_SECOND: '600', CHANNEL_RATE_LIMIT_BURST: '1200' };
  system = await startSystem(variables, { now: () => nowMs });
});
// Restores all limits.
beforeEach(() => void (nowMs += 60_000));
afterAll(() => system.stop());

const tradeOfSize = (bytes: number): Buffer => {
  const body = JSON.stringify(findOperation('startTrade').example);
  return Buffer.from(body + ' '.repeat(bytes - body.length));
};
const trade = (authorization: string, body: Buffer, chunked = false) =>
  system.raw({
    method: 'POST',
    path: TRADE,
    headers: { Authorization: authorization, 'Content-Type': 'application/json', 'Idempotency-Key': newId() },
    body,
    chunked,
  });
const stateAfter = async (authorization: string) => {
  const { headers } = await system.call('getMe', { headers: { authorization } });
  return {
    policy: String(headers['ratelimit-policy']),
    left: Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]),
  };
};

const withBody = loadContract().operations.filter(({ bodies, streamed }) => bodies !== undefined && !streamed);

describe('a body', () => {
  test('has the limit of its operation', () => {
    const large = withBody.filter(({ bodyBytesAtMost }) => bodyBytesAtMost !== 16 * KIB);
    expect(large.map(({ id, bodyBytesAtMost }) => [id, bodyBytesAtMost]).toSorted()).toEqual(
      ['onramp', 'onrampHoldings', 'planTransfer', 'startOfframp', 'startRetirement', 'startTrade'].map((id) => [
        id,
        256 * KIB,
      ]),
    );
  });

  test.each(withBody.map(({ id, bodyBytesAtMost }) => [id, bodyBytesAtMost] as const))(
    'of %s with more than %d bytes is rejected',
    async (id, bytes) => {
      expectProblem(await system.call(id, { body: ' '.repeat(bytes + 1) }), 413, 'payload-too-large');
      expect((await system.call(id, { body: ' '.repeat(bytes) })).status).toBe(400);
    },
  );

  test('with 1,000 selections of the longest usual ids fits', async () => {
    const { currency, buyerId } = findOperation('startTrade').example as Record<string, string>;
    const id = '5b0c2f3e-7d1a-4c69-9a58-2e4f80b6d913';
    const serial = '9'.repeat(20);
    const assets = Array.from({ length: 1_000 }, () => ({
      start: `${id}_${serial}`,
      end: `${id}_${serial}`,
      unitPrice: 123_456.123456,
    }));
    const body = Buffer.from(JSON.stringify({ currency, buyerId, assets }, undefined, 1));
    expect((await trade(system.user().authorization, body)).status).toBe(201);
  });
});

/** A trade whose body occupies the place of its channel until the test ends it. */
async function beginTrade(authorization: string, body: Buffer) {
  const [host = '', port = ''] = system.address.split(':');
  const headers = {
    authorization,
    'content-type': 'application/json',
    'content-length': body.length,
    'idempotency-key': newId(),
    expect: '100-continue',
  };
  const begun = request({ host, port, method: 'POST', path: TRADE, headers });
  const answered = once(begun, 'response').then(([{ statusCode }]) => statusCode as number);
  begun.flushHeaders();
  await once(begun, 'continue');
  begun.write(body.subarray(0, 1_000));
  return { end: () => void begun.end(body.subarray(1_000)), answered };
}

describe('a large body', () => {
  test('waits for other large bodies of its channel, and not for those of others', async () => {
    const [own, other] = [system.user({ salesChannelId: 'bodies' }), system.user({ salesChannelId: 'others' })];
    // A body gives up its place after a second. A busy machine may need longer here.
    const later = setTimeout;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    timers.mockImplementation(((work: () => void, ms = 0) => later(work, ms === 1_000 ? 60_000 : ms)) as typeof later);
    try {
      const first = await beginTrade(own.authorization, tradeOfSize(100_000));
      const order: string[] = [];
      const second = trade(own.authorization, tradeOfSize(100_000)).finally(() => order.push('second'));
      expect((await trade(other.authorization, tradeOfSize(100_000))).status).toBe(201);
      expect((await trade(own.authorization, tradeOfSize(10_000))).status).toBe(201);
      await passTurns(1_000);
      order.push('end of the first');
      first.end();
      expect([await first.answered, (await second).status]).toEqual([201, 201]);
      expect(order).toEqual(['end of the first', 'second']);
    } finally {
      timers.mockRestore();
    }
  });

  test('that its sender does not finish blocks its channel for a second only', async () => {
    const [own, other] = [system.user({ salesChannelId: 'slow' }), system.user({ salesChannelId: 'other' })];
    const [host = '', port = ''] = system.address.split(':');
    const headers = { authorization: own.authorization, 'content-type': 'application/json', 'content-length': 100_000 };
    const stuck = request({ host, port, method: 'POST', path: TRADE, headers }).on('error', () => undefined);
    stuck.write('{');
    try {
      expect((await trade(other.authorization, tradeOfSize(100_000))).status).toBe(201);
      for (const chunked of [false, true])
        expect((await trade(own.authorization, tradeOfSize(100_000), chunked)).status).toBe(201);
    } finally {
      stuck.destroy();
    }
  });

  test('counts as several requests of the user and of the sales channel', async () => {
    const user = system.user({ salesChannelId: 'bytes' });
    const before = await stateAfter(user.authorization);
    expect(before).toEqual({ policy: '"user";q=1000;w=2', left: 999 });
    expect((await trade(user.authorization, tradeOfSize(160 * KIB))).status).toBe(201);
    // 10 for the size, and more for the thread time.
    expect((await stateAfter(user.authorization)).left).toBeLessThanOrEqual(before.left - 12);
  });

  test('counts even if it is rejected', async () => {
    const user = system.user({ salesChannelId: 'refused' });
    expect((await trade(user.authorization, Buffer.alloc(1_024 * KIB, 0x20))).status).toBe(413);
    expect((await stateAfter(user.authorization)).left).toBeLessThanOrEqual(1_000 - 64 - 2);
  });

  test.each([
    ['with its length announced', false],
    ['in chunks', true],
  ])('counts if the request is rejected before its body is read, %s', async (_name, chunked) => {
    const user = system.user({ salesChannelId: 'unread' });
    const headers = { Authorization: user.authorization, 'Content-Type': 'application/json' };
    const body = Buffer.alloc(1_024 * KIB, 0x20);
    const refused = await system.raw({ method: 'POST', path: TRADE, headers, body, chunked });
    expect(refused.status).toBe(400);
    expect((await stateAfter(user.authorization)).left).toBeLessThanOrEqual(1_000 - 64 - 2);
  });

  test('that is announced and never sent does not exhaust the limits', async () => {
    const user = system.user({ salesChannelId: 'announced' });
    const headers = {
      Authorization: user.authorization,
      'Content-Type': 'application/json',
      'Idempotency-Key': newId(),
      'Content-Length': '99999999999',
    };
    expect((await system.raw({ method: 'POST', path: TRADE, headers })).status).toBe(413);
    expect((await stateAfter(user.authorization)).left).toBeGreaterThan(800);
  });

  test('of usual size costs one request', async () => {
    const user = system.user({ salesChannelId: 'usual' });
    // Excludes code that is compiled on first use.
    for (let count = 0; count < 20; count++) await trade(user.authorization, tradeOfSize(400));
    const left: number[] = [];
    for (let count = 0; count < 5; count++) {
      nowMs += 60_000;
      await trade(user.authorization, tradeOfSize(400));
      left.push((await stateAfter(user.authorization)).left);
    }
    // A busy machine may interrupt one of them.
    expect(left).toContain(998);
  });
});

test('a slow read counts as several requests', async () => {
  const user = system.user({ salesChannelId: 'slow reads' });
  const getTrader = system.rpcs.traders['GetTrader'];
  system.rpcs.traders['GetTrader'] = (request, call) => {
    nowMs += 250;
    return getTrader?.(request, call);
  };
  try {
    expect((await system.call('getTrader', { as: user.authorization })).status).toBe(200);
  } finally {
    if (getTrader) system.rpcs.traders['GetTrader'] = getTrader;
  }
  // 25 for the time. The request itself has been restored meanwhile.
  expect((await stateAfter(user.authorization)).left).toBe(1_000 - 25 - 1);
});

test('a body that blocks the thread counts as several requests', async () => {
  const user = system.user({ salesChannelId: 'slow bodies' });
  let looks = 0;
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5 * ++looks);
  try {
    expect((await trade(user.authorization, tradeOfSize(400))).status).toBe(201);
  } finally {
    clock.mockRestore();
  }
  // 10 for at least 5 ms.
  expect((await stateAfter(user.authorization)).left).toBeLessThanOrEqual(1_000 - 1 - 10 - 1);
});

test('users share the rate limit of their sales channel only', async () => {
  const [first, second] = [system.user({ salesChannelId: 'many' }), system.user({ salesChannelId: 'many' })];
  // 1 MiB counts as 67 requests: 14 of the first and four of the second user exhaust the channel.
  for (let count = 0; count < 14; count++) await trade(first.authorization, Buffer.alloc(1_024 * KIB, 0x20));
  for (let count = 0; count < 5; count++) await trade(second.authorization, Buffer.alloc(1_024 * KIB, 0x20));
  const refused = await system.call('getMe', { headers: { authorization: second.authorization } });
  expectProblem(refused, 429, 'rate-limited');
  expect(refused.headers['ratelimit-policy']).toBe('"channel";q=1200;w=2');
  expect(refused.headers['ratelimit']).toMatch(/^"channel";r=0;t=\d+$/);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const other = system.user({ salesChannelId: 'few' });
  expect((await system.call('getMe', { headers: { authorization: other.authorization } })).status).toBe(200);
  nowMs += 10_000;
  expect((await system.call('getMe', { headers: { authorization: second.authorization } })).status).toBe(200);
});

describe('limits by network address', () => {
  /** Public operations, limited by network address. */

  let system: System;
  const nowMs = 1_000;
  beforeAll(async () => {
    system = await startSystem(
      {
        PUBLIC_RATE_LIMIT_PER_SECOND: '1',
        PUBLIC_RATE_LIMIT_BURST: '2',
        RATE_LIMIT_ANSWER_DELAY_MS: '0',
        BEHIND_PROXY: 'yes',
        TRUSTED_PROXIES: '127.0.0.1',
      },
      { now: () => nowMs },
    );
  });
  afterAll(() => system.stop());

  const from = (address: string) => ({ as: undefined, headers: { 'X-Forwarded-For': address } });

  describe('the public register', () => {
    test('answers without credentials, and states the limit', async () => {
      const answer = await system.call('getStatement', from('192.0.2.1'));
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit-policy']).toBe('"address";q=2;w=2');
      expect(answer.headers['ratelimit']).toBe('"address";r=1;t=1');
    });

    test('limits each address over all operations', async () => {
      for (const operation of ['getStatementKeys', 'getCertificateStatus'])
        expect((await system.call(operation, from('192.0.2.2'))).status).toBe(200);
      const refused = await system.call('listStatements', from('192.0.2.2'));
      expectProblem(refused, 429, 'rate-limited');
      expect(refused.headers['retry-after']).toBe('1');
      expect((await system.call('listStatements', from('192.0.2.3'))).status).toBe(200);
    });

    test('counts all addresses of an IPv6 network as one', async () => {
      const statuses: number[] = [];
      for (const host of ['1', '2', '3'])
        statuses.push((await system.call('getStatement', from(`2001:db8:1:2::${host}`))).status);
      expect(statuses).toEqual([200, 200, 429]);
    });

    test('does not limit health checks', async () => {
      for (const _time of [1, 2, 3, 4])
        expect((await system.call('getHealth', from('192.0.2.9'))).headers).not.toHaveProperty('ratelimit');
    });

    test('ignores credentials', async () => {
      const { headers } = from('192.0.2.4');
      expect((await system.call('getStatement', { as: 'Bearer wrong', headers })).status).toBe(200);
    });

    test('links to the next page', async () => {
      const answer = await system.call('listStatements', from('192.0.2.5'));
      expect(answer.headers.link).toMatch(/^<\/public\/v1\/statements\?.*%24after=n1>; rel="next"$/);
    });
  });
});
