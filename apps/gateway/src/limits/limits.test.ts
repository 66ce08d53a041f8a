import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { RateLimiter } from './gcra.ts';
import { RequestLimit } from './request-limit.ts';

const clock = () => {
  let nowMs = 1_000;
  return { now: () => nowMs, advance: (ms: number) => (nowMs += ms) };
};

describe('the rate limiter', () => {
  test('lets a burst through, then the rate', () => {
    const time = clock();
    const limiter = new RateLimiter({ ratePerSecond: 10, burst: 5, keysAtMost: 10, now: time.now });
    expect(Array.from({ length: 6 }, () => limiter.take('a').allowed)).toEqual([true, true, true, true, true, false]);
    time.advance(100);
    expect(limiter.take('a').allowed).toBe(true);
    expect(limiter.take('a').allowed).toBe(false);
    time.advance(10_000);
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 4, resetSeconds: 1, retryAfterSeconds: 0 });
  });

  test('says what is left and when to come back', () => {
    const time = clock();
    const limiter = new RateLimiter({ ratePerSecond: 0.5, burst: 2, keysAtMost: 10, now: time.now });
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 1, resetSeconds: 2, retryAfterSeconds: 0 });
    expect(limiter.take('a')).toEqual({ allowed: true, remaining: 0, resetSeconds: 4, retryAfterSeconds: 0 });
    expect(limiter.take('a')).toEqual({ allowed: false, remaining: 0, resetSeconds: 4, retryAfterSeconds: 2 });
    time.advance(1_999);
    expect(limiter.take('a').allowed).toBe(false);
    time.advance(1);
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('counts each key for itself, and a refused request for nothing', () => {
    const time = clock();
    const limiter = new RateLimiter({ ratePerSecond: 1, burst: 1, keysAtMost: 10, now: time.now });
    expect([
      limiter.take('a').allowed,
      limiter.take('b').allowed,
      limiter.take('a').allowed,
      limiter.take('a').allowed,
    ]).toEqual([true, true, false, false]);
    time.advance(1_000);
    expect(limiter.take('a').allowed).toBe(true);
  });

  test('never lets more through than burst + rate × time, and never less when it is asked evenly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 }),
        (rate, burst, pauses) => {
          const time = clock();
          const limiter = new RateLimiter({ ratePerSecond: rate, burst, keysAtMost: 1, now: time.now });
          let passed = 0;
          let elapsedMs = 0;
          for (const pause of pauses) {
            time.advance(pause);
            elapsedMs += pause;
            if (limiter.take('a').allowed) passed += 1;
            expect(passed).toBeLessThanOrEqual(burst + (rate * elapsedMs) / 1_000 + 1e-6);
          }
          const even = new RateLimiter({ ratePerSecond: rate, burst, keysAtMost: 1, now: time.now });
          for (let index = 0; index < 100; index += 1) {
            expect(even.take('a').allowed).toBe(true);
            time.advance(1_000 / rate);
          }
        },
      ),
    );
  });

  test('remembers a bounded number of keys', () => {
    const limiter = new RateLimiter({ ratePerSecond: 1, burst: 1, keysAtMost: 2, now: () => 0 });
    for (const key of ['a', 'b', 'c']) limiter.take(key);
    expect([limiter.look('b').allowed, limiter.look('c').allowed, limiter.look('a').allowed]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test('the headers are structured fields of the draft', () => {
  const limit = new RequestLimit({ of: 'user', ratePerSecond: 500, burst: 1000, now: () => 0 });
  expect(limit.policy).toBe('"user";q=1000;w=2');
  expect(limit.stateOf(limit.take('u'))).toBe('"user";r=999;t=1');
});
