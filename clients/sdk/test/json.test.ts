import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatDecimal, readJson, writeJson } from '../src/json.ts';

const prices = fc
  .tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, micros]) => `${whole}.${String(micros).padStart(6, '0')}`.replace(/\.?0{1,7}$/, ''))
  .map((text) => (text === '' ? '0' : text));

test('every price of the contract keeps its digits', () => {
  fc.assert(
    fc.property(prices, (price) => {
      const { unitPrice } = readJson(`{"unitPrice":${price}}`) as { unitPrice: number };
      expect(typeof unitPrice).toBe('number');
      expect(formatDecimal(unitPrice)).toBe(price);
      expect(writeJson({ unitPrice: price })).toBe(`{"unitPrice":${price}}`);
    }),
  );
});

test.each([
  ['9007199254740993', '9007199254740993'],
  ['0.12345678901234567890', '0.12345678901234567890'],
  ['-123456789012345678', '-123456789012345678'],
  ['1e400', '1e400'],
  ['9007199254740991', 9007199254740991],
  ['10000000000000000000', 10000000000000000000],
  ['1.50000000000000000000', 1.5],
  ['1e3', 1000],
])('the number %s is read as %p', (text, expected) => {
  expect(readJson(`[{"n": ${text}}]`)).toEqual([{ n: expected }]);
  expect(readJson(text)).toEqual(expected);
});

test('numbers within texts stay unchanged', () => {
  const texts = ['a: 90071992547409931234', '"quoted\\" : 90071992547409931234"', 'i_00000000000000000000000000000001'];
  expect(readJson(JSON.stringify({ texts, n: 1 }))).toEqual({ texts, n: 1 });
});

test("JSON without prices is the same as the platform's", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(writeJson(value)).toBe(JSON.stringify(value));
      expect(readJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  const at = new Date(0);
  expect(writeJson({ at, none: undefined, list: [undefined] })).toBe(JSON.stringify({ at, list: [null] }));
});

test.each(['', '1,5', '1e3', '0x10', 'NaN', '01', '1.', '1, "x": 2'])('"%s" is not a price', (unitPrice) => {
  expect(() => writeJson({ assets: [{ unitPrice }] })).toThrow(TypeError);
});

test.each([
  [1e-7, '0.0000001'],
  [1.25e-7, '0.000000125'],
  [1e21, '1000000000000000000000'],
  [1.5e21, '1500000000000000000000'],
  ['9007199254740993', '9007199254740993'],
  [0.000001, '0.000001'],
])('the digits of %p are exact', (price, text) => expect(formatDecimal(price)).toBe(text));
