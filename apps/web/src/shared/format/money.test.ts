import { expect, test } from '@jest/globals';
import { money, totalPrice } from './money.ts';

const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u202f', ' ');

test.each([
  ['148.50', '250', '37 125.00 EUR'],
  // What binary fractions make of these: 0.30000000000000004, 1.1, 8.899999999999999.
  ['0.1', 3, '0.30 EUR'],
  ['0.11', 10n, '1.10 EUR'],
  ['0.89', 10, '8.90 EUR'],
  ['0.000001', 1, '0.000001 EUR'],
  ['9999999999.999999', '9007199254740991', '90 071 992 547 409 900 992 800 745.259009 EUR'],
  [99_999_999.99, 9_007_199_254_740_991, '900 719 925 384 027 107 452 590.09 EUR'],
  ['148', 2, '296.00 EUR'],
  ['0', 7, '0.00 EUR'],
  [148.5, 2, '297.00 EUR'],
  [0.000001, 3, '0.000003 EUR'],
])('%p for each of %p is %p', (unitPrice, volume, total) => {
  expect(plain(totalPrice([{ unitPrice, volume }], 'EUR'))).toBe(total);
});

test.each([
  ['37125', 'EUR', '37 125.00 EUR'],
  ['1999997000000000.3', 'USD', '1 999 997 000 000 000.30 USD'],
  ['0.000001', 'EUR', '0.000001 EUR'],
  [null, 'EUR', undefined],
  ['1', null, undefined],
] as const)('%p in %p is %p', (price, currency, written) => {
  expect(plain(money(price, currency))).toBe(written);
});

test('lines of different prices are added exactly', () => {
  const lines = [
    { unitPrice: 0.1, volume: 1 },
    { unitPrice: '0.20', volume: 1 },
    { unitPrice: '1.000001', volume: 1_000_000 },
  ];
  expect(plain(totalPrice(lines, 'USD'))).toBe('1 000 001.30 USD');
});

test.each([
  [[]],
  [[{ unitPrice: null, volume: 1 }]],
  [[{ unitPrice: '1,5', volume: 1 }]],
  [[{ unitPrice: 1e-9, volume: 1 }]],
])('there is no total of %p', (lines) => {
  expect(totalPrice(lines, 'EUR')).toBeUndefined();
});

test('a line without a price leaves the others without a total', () => {
  expect(
    totalPrice(
      [
        { unitPrice: 1, volume: 1 },
        { unitPrice: null, volume: 1 },
      ],
      'EUR',
    ),
  ).toBeUndefined();
});
