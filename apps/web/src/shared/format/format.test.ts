import { describe, expect, test } from '@jest/globals';
import { rangeOfDays } from './days.ts';
import { digits, price, tonnes } from './numbers.ts';
import { issuanceOf, serialOf, shortId, sum } from './serials.ts';
import { dateTime, day, daysBetween } from './time.ts';

const plain = (text: string): string => text.replaceAll('\u202f', ' ');

describe('numbers', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1_904_311, '1 904 311'],
    ['123456789012345678901234567890', '123 456 789 012 345 678 901 234 567 890'],
    [-1_000n, '-1 000'],
    ['1234.5678', '1 234.5678'],
    ['not a number', 'not a number'],
  ])('%p reads %p', (value, text) => {
    expect(plain(digits(value))).toBe(text);
  });

  test('have their unit', () => expect(plain(tonnes(41_208n))).toBe('41 208 t'));

  test.each([
    [149.5, '149.50 EUR'],
    [0, '0.00 EUR'],
    [999_999_999.999999, '999 999 999.999999 EUR'],
    [1_000_000_000, '1 000 000 000.00 EUR'],
    [0.000001, '0.000001 EUR'],
  ])('the price %p reads %p', (value, text) => {
    expect(plain(price(value, 'EUR'))).toBe(text);
  });
});

describe('serials', () => {
  test('lose their zeros and no digit', () => {
    expect(serialOf('NCR_NO_2024_5b0c_00000000000000000000042')).toBe('42');
    expect(serialOf('NCR_NO_2024_5b0c_98765432109876543210')).toBe('98765432109876543210');
    expect(serialOf('something else')).toBe('something else');
  });

  test('have an issuance before them', () => {
    expect(issuanceOf('NCR_NO_2024_5b0c_7')).toBe('NCR_NO_2024_5b0c');
    expect(issuanceOf('something else')).toBeUndefined();
  });

  test('volumes are added without loss', () => {
    expect(sum([9_007_199_254_740_991, 2])).toBe(9_007_199_254_740_993n);
    expect(sum([])).toBe(0n);
  });

  test('long ids are read by their ends', () => {
    expect(shortId('cmws374walwmuldddx2ww0uyd')).toBe('cmws37…ww0uyd');
    expect(shortId('short')).toBe('short');
  });
});

test('times are those of UTC, wherever the browser is', () => {
  expect(dateTime('2026-03-04T23:59:07.123+02:00')).toBe('2026-03-04 21:59');
  expect(day('2026-03-04T00:30:00+02:00')).toBe('2026-03-03');
  expect(daysBetween(Date.parse('2026-03-01T12:00:00Z'), '2026-03-04T11:59:59Z')).toBe(2);
});

test('days include their last moment', () => {
  expect(rangeOfDays({ from: '2026-02-27', to: '2026-02-28' })).toEqual({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  expect(rangeOfDays({ from: 'yesterday', to: undefined })).toEqual({});
});
