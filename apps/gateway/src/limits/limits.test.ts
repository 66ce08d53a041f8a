import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { countFurtherRequests, RateLimiter, RequestLimit, ThrottledResponses } from './rate-limit.ts';

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
