import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { totalPrice, unitPriceFromJson } from '../src/index.ts';

/** The canonical text of a number of millionths, written another way than the code under test does. */
const textOf = (micros: bigint): string => {
  const digits = micros.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
};

describe('unitPriceFromJson', () => {
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
    expect(unitPriceFromJson(price)).toBe(text);
  });

  test.each<[number | string, string]>([
    [-1, 'unit-price-range'],
    ['-0.000001', 'unit-price-range'],
    [1000000000.000001, 'unit-price-range'],
    [1e21, 'unit-price-range'],
    ['1e999', 'unit-price-range'],
    ['1e-999', 'unit-price-range'],
    [1e-7, 'unit-price-fraction'],
    [0.1 + 0.2, 'unit-price-fraction'],
    ['1.0000001', 'unit-price-fraction'],
    [Number.NaN, 'unit-price-form'],
    [Number.POSITIVE_INFINITY, 'unit-price-form'],
    ['', 'unit-price-form'],
    ['01', 'unit-price-form'],
    ['+1', 'unit-price-form'],
    ['1.', 'unit-price-form'],
    ['.5', 'unit-price-form'],
    ['1,5', 'unit-price-form'],
    ['0x10', 'unit-price-form'],
    ['1\n', 'unit-price-form'],
    ['1'.repeat(100), 'unit-price-form'],
  ])('refuses %j with %s', (price, code) => {
    expect(() => unitPriceFromJson(price, '#/assets/0/unitPrice')).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        violations: [expect.objectContaining({ code, pointer: '#/assets/0/unitPrice' })],
      }),
    );
  });

  test('every price of the allowed range survives JSON exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micros) => {
        const text = textOf(micros);
        expect(unitPriceFromJson(JSON.parse(text) as number)).toBe(text);
        expect(unitPriceFromJson(text)).toBe(text);
      }),
    );
  });
});

describe('totalPrice', () => {
  test('of nothing is 0', () => {
    expect(totalPrice([])).toBe('0');
  });

  test('is exact where floating point is not', () => {
    expect(
      totalPrice([
        { unitPrice: '0.1', volume: 1n },
        { unitPrice: '0.2', volume: 1n },
      ]),
    ).toBe('0.3');
    expect(totalPrice([{ unitPrice: '999999999.999999', volume: 9007199254740993n }])).toBe(
      '9007199254740983992800745.259007',
    );
  });

  test('is the sum of price times volume', () => {
    const line = fc.record({
      micros: fc.bigInt({ min: 0n, max: 10n ** 15n }),
      volume: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    });
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const expected = lines.reduce((sum, { micros, volume }) => sum + micros * volume, 0n);
        expect(totalPrice(lines.map(({ micros, volume }) => ({ unitPrice: textOf(micros), volume })))).toBe(
          textOf(expected),
        );
      }),
    );
  });

  test('takes canonical prices only', () => {
    for (const unitPrice of ['1.50', '-1', '1e3', ''])
      expect(() => totalPrice([{ unitPrice, volume: 1n }])).toThrow(RangeError);
  });
});
