import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { MAX_ATTEMPTS, computeDelay, parseRetryAfter } from './schedule.ts';

const HOUR_MS = 3_600_000;
const chance = fc.double({ min: 0, max: 1, noNaN: true });

test('a schedule lasts between 75 and 84 hours for any random values', () => {
  fc.assert(
    fc.property(fc.array(chance, { minLength: MAX_ATTEMPTS, maxLength: MAX_ATTEMPTS }), (randoms) => {
      const delays = randoms.map((random, index) => computeDelay(index + 1, random));
      expect(delays.at(-1)).toBeUndefined();
      const total = delays.slice(0, -1).reduce<number>((sum, delay) => sum + (delay ?? Number.NaN), 0);
      expect(total).toBeGreaterThanOrEqual(75 * HOUR_MS);
      expect(total).toBeLessThan(84 * HOUR_MS);
    }),
  );
});

test('a delay covers Retry-After up to a day, and is never shorter than the schedule', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
      chance,
      fc.nat(1_000 * HOUR_MS),
      (n, random, requested) => {
        const delay = computeDelay(n, random, requested) ?? Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(Math.min(requested, 24 * HOUR_MS));
        expect(delay).toBeGreaterThanOrEqual(computeDelay(n, 0) ?? Number.NaN);
        expect(delay).toBeLessThanOrEqual(Math.max(24 * HOUR_MS, Math.round((computeDelay(n, 0) ?? 0) * 1.1)));
      },
    ),
  );
});

test('Retry-After is limited to a day', () => {
  for (const header of ['86401', '9'.repeat(12), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])
    expect(computeDelay(1, 0, parseRetryAfter(header, Date.parse('2026-01-01T00:00:00Z')))).toBe(24 * HOUR_MS);
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['99999999999', 99_999_999_999_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  [undefined, undefined],
])('Retry-After: %s', (header, expected) => {
  const waiting = parseRetryAfter(header, Date.parse('2026-01-01T00:00:00Z'));
  // Date.parse reads "-1" as a year long ago.
  expect(waiting === 0 && expected === undefined ? undefined : waiting).toBe(expected);
});
