import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { DomainError } from '@saleschannel/errors';
import { countFurtherRequests, RateLimiter, RequestLimit, ThrottledResponses } from './rate-limit.ts';
import { QUEUE_LIMITS } from './channel-queues.ts';
import { FailedLogins, type Attempt } from './failed-logins.ts';

const clock = () => {
  let nowMs = 1_000;
  return { now: () => nowMs, advance: (ms: number) => (nowMs += ms) };
};

describe('the rate limiter', () => {
  test('allows a burst, then the steady rate', () => {
    const time = clock();
    const limiter = new RateLimiter({ ratePerSecond: 10, burst: 5, maxKeys: 10, now: time.now });
    expect(Array.from({ length: 6 }, () => limiter.take('a').allowed)).toEqual([true, true, true, true, true, false]);
    time.advance(100);
    expect(limiter.take('a').allowed).toBe(true);
    expect(limiter.take('a').allowed).toBe(false);
    time.advance(10_000);
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 4, resetSeconds: 1, retryAfterSeconds: 0 });
  });

  test('reports the remaining requests and when to retry', () => {
    const time = clock();
    const limiter = new RateLimiter({ ratePerSecond: 0.5, burst: 2, maxKeys: 10, now: time.now });
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 1, resetSeconds: 2, retryAfterSeconds: 0 });
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0, resetSeconds: 4, retryAfterSeconds: 0 });
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 4, retryAfterSeconds: 2 });
    time.advance(1_999);
    expect(limiter.take('a').allowed).toBe(false);
    time.advance(1);
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('counts each key separately, and does not count refused requests', () => {
    const time = clock();
    const limiter = new RateLimiter({ ratePerSecond: 1, burst: 1, maxKeys: 10, now: time.now });
    expect([
      limiter.take('a').allowed,
      limiter.take('b').allowed,
      limiter.take('a').allowed,
      limiter.take('a').allowed,
    ]).toEqual([true, true, false, false]);
    time.advance(1_000);
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('allows at most burst + rate × time, and all requests at an even rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 }),
        (rate, burst, pauses) => {
          const time = clock();
          const limiter = new RateLimiter({ ratePerSecond: rate, burst, maxKeys: 1, now: time.now });
          let passed = 0;
          let elapsedMs = 0;
          for (const pause of pauses) {
            time.advance(pause);
            elapsedMs += pause;
            if (limiter.take('a').allowed) passed += 1;
            expect(passed).toBeLessThanOrEqual(burst + (rate * elapsedMs) / 1_000 + 1e-6);
          }
          const even = new RateLimiter({ ratePerSecond: rate, burst, maxKeys: 1, now: time.now });
          for (let index = 0; index < 100; index += 1) {
            expect(even.take('a').allowed).toBe(true);
            time.advance(1_000 / rate);
          }
        },
      ),
    );
  });

  test('keeps a bounded number of keys', () => {
    const limiter = new RateLimiter({ ratePerSecond: 1, burst: 1, maxKeys: 2, now: () => 0 });
    for (const key of ['a', 'b', 'c']) limiter.take(key);
    expect([limiter.peek('b').allowed, limiter.peek('c').allowed, limiter.peek('a').allowed]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test('rate limit headers are structured fields of the draft', () => {
  const limit = new RequestLimit({ of: 'user', ratePerSecond: 500, burst: 1000, now: () => 0 });
  expect(limit.policy).toBe('"user";q=1000;w=2');
  expect(limit.formatState(limit.take('u'))).toBe('"user";r=999;t=1');
});

test.each([
  ['a usual request', { bodyBytes: 16_383, threadMs: 0.49, readMs: 9.9 }, 0],
  ['bytes', { bodyBytes: 16_384 * 3, threadMs: 0, readMs: 0 }, 3],
  ['more bytes than are read', { bodyBytes: 1e12, threadMs: 0, readMs: 0 }, 64],
  ['thread time', { bodyBytes: 0, threadMs: 2.6, readMs: 0 }, 5],
  ['read time', { bodyBytes: 0, threadMs: 0, readMs: 34 }, 3],
  ['a read that mostly waits', { bodyBytes: 0, threadMs: 0, readMs: 60_000 }, 100],
  ['all of them', { bodyBytes: 16_384, threadMs: 0.5, readMs: 10 }, 3],
])('further requests charged for %s', (_name, cost, further) => {
  expect(countFurtherRequests(cost)).toBe(further);
});

describe('responses above the rate limit', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Whether the response may be sent now. */
  async function isReleased(holding: Promise<void>): Promise<boolean> {
    const pending = Symbol('pending');
    return (await Promise.race([holding, Promise.resolve(pending)])) !== pending;
  }

  const connected = () => new AbortController().signal;

  test('are delayed for the configured time', async () => {
    const holding = new ThrottledResponses({ delayMs: 500 }).delay(connected());
    await jest.advanceTimersByTimeAsync(499);
    expect(await isReleased(holding)).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await isReleased(holding)).toBe(true);
  });

  test('make room when their client disconnects', async () => {
    const responses = new ThrottledResponses({ delayMs: 500, maxDelayed: 1 });
    const client = new AbortController();
    const first = responses.delay(client.signal);
    expect(await isReleased(responses.delay(connected()))).toBe(true);
    client.abort();
    await first;
    expect(await isReleased(responses.delay(connected()))).toBe(false);
  });

  test('are not delayed without a client or a delay', async () => {
    expect(await isReleased(new ThrottledResponses({ delayMs: 500 }).delay(AbortSignal.abort()))).toBe(true);
    expect(await isReleased(new ThrottledResponses({ delayMs: 0 }).delay(connected()))).toBe(true);
  });
});

describe('failed log-ins', () => {
  let nowMs = 0;
  let logins: FailedLogins;
  /** Fingerprints of the credentials that identity checked. */
  let checked: string[] = [];
  beforeEach(() => {
    nowMs = 0;
    checked = [];
    logins = new FailedLogins({ perMinute: 4, perKeyIdPerMinute: 2, now: () => nowMs });
  });

  const attempt = (address: string, id: string, secret: string): Attempt => ({
    address,
    id,
    fingerprint: `${id}:${secret}`,
  });

  /** Returns 'in', or the error code. */
  async function logIn(shown: Attempt, answered: Promise<void> = Promise.resolve()): Promise<string> {
    try {
      return await logins.verify(shown, async () => {
        checked.push(shown.fingerprint);
        await answered;
        if (!shown.fingerprint.endsWith(':good')) throw new DomainError('unauthenticated', 'no');
        return 'in';
      });
    } catch (error) {
      return (error as DomainError).code;
    }
  }

  const failTimes = async (times: number, address: string, idOf: (index: number) => string) => {
    const codes: string[] = [];
    for (let index = 0; index < times; index += 1)
      codes.push(await logIn(attempt(address, idOf(index), `bad${checked.length}`)));
    return codes;
  };

  test('failures from one address are limited over all key ids, and its valid credentials are not', async () => {
    expect(await failTimes(6, '192.0.2.1', (index) => `k${index}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'unauthenticated'),
      'rate-limited',
      'rate-limited',
    ]);
    expect(await logIn(attempt('192.0.2.1', 'never-seen', 'good'))).toBe('in');
    expect(await logIn(attempt('::ffff:192.0.2.1', 'k9', 'bad'))).toBe('rate-limited');
    expect(await logIn(attempt('192.0.2.2', 'k9', 'worse'))).toBe('unauthenticated');
  });

  test('failures with one key id are limited over all addresses, and its valid credential is not', async () => {
    const codes = [];
    for (let index = 0; index < 5; index += 1) codes.push(await logIn(attempt(`192.0.2.${index}`, 'k', `bad${index}`)));
    expect(codes).toEqual(['unauthenticated', 'unauthenticated', 'rate-limited', 'rate-limited', 'rate-limited']);
    expect(await logIn(attempt('192.0.2.9', 'k', 'good'))).toBe('in');
    expect(await logIn(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
    expect(await logIn(attempt('192.0.2.1', 'other', 'bad'))).toBe('unauthenticated');
  });

  test('the limit recovers with time', async () => {
    await failTimes(2, '192.0.2.1', () => 'k');
    expect(await logIn(attempt('192.0.2.1', 'k', 'bad'))).toBe('rate-limited');
    nowMs += 30_000;
    expect(await logIn(attempt('192.0.2.1', 'k', 'bad'))).toBe('unauthenticated');
  });

  test('above the limit, the same wrong credential is not checked again for ten seconds', async () => {
    await failTimes(2, '192.0.2.1', () => 'k');
    const wrong = attempt('192.0.2.1', 'k', 'wrong');
    expect([await logIn(wrong), await logIn(wrong), await logIn(wrong)]).toEqual(
      Array.from({ length: 3 }, () => 'rate-limited'),
    );
    expect(checked.filter((each) => each === wrong.fingerprint)).toHaveLength(1);
    nowMs += 10_000;
    await logIn(wrong);
    expect(checked.filter((each) => each === wrong.fingerprint)).toHaveLength(2);
  });

  test('above the limit, few are checked at a time, others queue, and a full queue rejects the rest', async () => {
    await failTimes(2, '192.0.2.1', () => 'k');
    checked = [];
    const answered = Promise.withResolvers<void>();
    const shown = Array.from({ length: QUEUE_LIMITS.maxQueuedPerOwner + 10 }, (_, index) =>
      logIn(attempt('192.0.2.1', 'k', `bad-${index}`), answered.promise),
    );
    const other = logIn(attempt('192.0.2.1', 'other', 'good'));
    expect(await Promise.all(shown.slice(-6))).toEqual(Array.from({ length: 6 }, () => 'rate-limited'));
    expect(checked).toHaveLength(5);
    expect(await other).toBe('in');
    answered.resolve();
    expect(new Set(await Promise.all(shown))).toEqual(new Set(['rate-limited']));
    expect(checked).toHaveLength(QUEUE_LIMITS.maxQueuedPerOwner + 5);
  });

  test('an attempt queues for at most five seconds', async () => {
    await failTimes(2, '192.0.2.1', () => 'k');
    const answered = Promise.withResolvers<void>();
    const shown = Array.from({ length: 5 }, (_, index) =>
      logIn(attempt('192.0.2.1', 'k', `x-${index}`), answered.promise),
    );
    nowMs += 5_001;
    checked = [];
    answered.resolve();
    expect(await Promise.all(shown)).toEqual(Array.from({ length: 5 }, () => 'rate-limited'));
    expect(checked).toEqual([]);
  });

  test('a credential that was valid before skips the queue', async () => {
    expect(await logIn(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
    await failTimes(2, '192.0.2.1', () => 'k');
    const answered = Promise.withResolvers<void>();
    const stuck = Array.from({ length: 50 }, (_, index) =>
      logIn(attempt('192.0.2.1', 'k', `x-${index}`), answered.promise),
    );
    expect(await logIn(attempt('192.0.2.1', 'k', 'good'))).toBe('in');
    answered.resolve();
    await Promise.all(stuck);
  });

  test('a failed check does not count as a failed log-in', async () => {
    for (let index = 0; index < 10; index += 1) {
      const failing = logins.verify(attempt('192.0.2.1', 'k', `x${index}`), () =>
        Promise.reject(new DomainError('unavailable', 'later')),
      );
      await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(await logIn(attempt('192.0.2.1', 'k', 'bad'))).toBe('unauthenticated');
  });
});
