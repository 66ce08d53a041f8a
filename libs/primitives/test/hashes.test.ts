import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { fingerprintRequest, stableHash } from '../src/index.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Returns the same value with the keys of all objects reversed. */
function withKeysReversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, withKeysReversed(member)]),
  );
}

describe('fingerprintRequest', () => {
  test('is the SHA-256 of the canonical text', () => {
    // printf '{"a":1,"b":[true,null]}' | sha256sum
    expect(fingerprintRequest({ b: [true, null], a: 1.0 }).toString('hex')).toBe(
      '1cc69c7fa23616ca2ec3ee70d24390a6225c8832db8a4c814c7e0e7f942f8668',
    );
  });

  test('ignores key order and white space', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const print = fingerprintRequest(value);
        expect(fingerprintRequest(withKeysReversed(value as Json)).equals(print)).toBe(true);
        expect(fingerprintRequest(JSON.parse(JSON.stringify(value, null, 3))).equals(print)).toBe(true);
      }),
    );
  });

  test('depends on everything else', () => {
    const prints = [{}, [], null, 0, '', '0', false, { a: 1 }, { a: '1' }, { a: [1] }, { a: null }, [1, 2], [2, 1]].map(
      (value) => fingerprintRequest(value).toString('hex'),
    );
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('rejects values that are not JSON', () => {
    for (const value of [undefined, 1n, Number.NaN, '\ud800', { a: 1n }])
      expect(() => fingerprintRequest(value)).toThrow(TypeError);
  });
});

describe('stableHash', () => {
  // The values of earlier releases. A change would redistribute issuances among the partitions.
  test('never changes', () => {
    expect(['', 'a', '5b0c2d9e-1f5a-4f0e-9a53-6a3c0f6f4a11'].map(stableHash)).toEqual([
      2872998923, 444641715, 2396161401,
    ]);
  });

  test('distributes similar texts evenly', () => {
    const counts = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let number = 0; number < 8_000; number++) {
      const bucket = stableHash(`replica-${number}`) % counts.length;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
