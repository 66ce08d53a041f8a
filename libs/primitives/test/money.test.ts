import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseUnitPrice, toUnitPrice } from '../src/index.ts';

/** Returns the canonical text of a number of millionths, computed differently from the code under test. */
const formatMillionths = (micros: bigint): string => {
  const digits = micros.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0{1,7}$/, '');
};

describe('parseUnitPrice', () => {
  test.each<[number | string, string]>([
    [0, '0'],
    [-0, '0'],
    ['-0.0', '0'],
    ['0e5', '0'],
    [0.1, '0.1'],
    [1.5, '1.5'],
    ['1.50', '1.5'],
    ['12.000000000', '12'],
    [1e-6, '0.000001'],
    ['1E-6', '0.000001'],
    ['1.25e2', '125'],
    ['1000e-3', '1'],
    [1e9, '1000000000'],
    ['1e9', '1000000000'],
    [999999999.999999, '999999999.999999'],
    [0.3, '0.3'],
  ])('%j is %s', (price, text) => {
    expect(parseUnitPrice(String(price))).toEqual({ price: text });
  });

  test.each<[number | string, string]>([
    [-1, 'negative'],
    ['-0.000001', 'negative'],
    [1000000000.000001, 'too-high'],
    [1e21, 'too-high'],
    ['1e999', 'too-high'],
    ['1e-999', 'too-many-fraction-digits'],
    [1e-7, 'too-many-fraction-digits'],
    [0.1 + 0.2, 'too-many-fraction-digits'],
    ['1.0000001', 'too-many-fraction-digits'],
    [Number.NaN, 'not-a-number'],
    [Number.POSITIVE_INFINITY, 'not-a-number'],
    ['', 'not-a-number'],
    ['01', 'not-a-number'],
    ['+1', 'not-a-number'],
    ['1.', 'not-a-number'],
    ['.5', 'not-a-number'],
    ['1,5', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['1\n', 'not-a-number'],
    ['1'.repeat(100), 'not-a-number'],
  ])('rejects %j as %s', (price, fault) => {
    expect(parseUnitPrice(String(price))).toEqual({ fault });
  });

  test('JSON keeps every price within the limits exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micros) => {
        const text = formatMillionths(micros);
        expect(parseUnitPrice(String(JSON.parse(text)))).toEqual({ price: text });
        expect(parseUnitPrice(text)).toEqual({ price: text });
        expect(toUnitPrice(JSON.parse(text) as number)).toBe(text);
      }),
    );
  });
});
