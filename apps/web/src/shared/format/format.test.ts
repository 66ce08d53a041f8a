import { describe, expect, test } from '@jest/globals';
import { pseudoTranslate, translate } from '../i18n/messages.ts';
import { countries, countryName } from './countries.ts';
import { isInName } from './folded.ts';
import { formatMoney, totalPrice, formatNumber, formatPrice, formatTonnes } from './numbers.ts';
import { issuanceOf, extractSerial, shortenId, sumVolumes } from './serials.ts';
import { formatDateTime, formatDay, daysBetween, toTimeRange } from './time.ts';

const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u202f', ' ');

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
    expect(plain(formatNumber(value))).toBe(text);
  });

  test('have their unit', () => expect(plain(formatTonnes(41_208n))).toBe('41 208 t'));

  test.each([
    [149.5, '149.50 EUR'],
    [0, '0.00 EUR'],
    [999_999_999.999999, '999 999 999.999999 EUR'],
    [1_000_000_000, '1 000 000 000.00 EUR'],
    [0.000001, '0.000001 EUR'],
  ])('the price %p reads %p', (value, text) => {
    expect(plain(formatPrice(value, 'EUR'))).toBe(text);
  });
});

describe('serials', () => {
  test('lose leading zeros, but no digit', () => {
    expect(extractSerial('NCR_NO_2024_5b0c_00000000000000000000042')).toBe('42');
    expect(extractSerial('NCR_NO_2024_5b0c_98765432109876543210')).toBe('98765432109876543210');
    expect(extractSerial('something else')).toBe('something else');
  });

  test('follow an issuance id', () => {
    expect(issuanceOf('NCR_NO_2024_5b0c_7')).toBe('NCR_NO_2024_5b0c');
    expect(issuanceOf('something else')).toBeUndefined();
  });

  test('volumes are added exactly', () => {
    expect(sumVolumes([9_007_199_254_740_991, 2])).toBe(9_007_199_254_740_993n);
    expect(sumVolumes([])).toBe(0n);
  });

  test('long ids are shortened in the middle', () => {
    expect(shortenId('cmws374walwmuldddx2ww0uyd')).toBe('cmws37…ww0uyd');
    expect(shortenId('short')).toBe('short');
  });
});

test('times are in UTC, in any time zone', () => {
  expect(formatDateTime('2026-03-04T23:59:07.123+02:00')).toBe('2026-03-04 21:59');
  expect(formatDay('2026-03-04T00:30:00+02:00')).toBe('2026-03-03');
  expect(daysBetween(Date.parse('2026-03-01T12:00:00Z'), '2026-03-04T11:59:59Z')).toBe(2);
});

test('days include their last moment', () => {
  expect(toTimeRange({ from: '2026-02-27', to: '2026-02-28' })).toEqual({
    from: '2026-02-27T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
  expect(toTimeRange({ from: 'yesterday', to: undefined })).toEqual({});
});

test.each([
  ['148.50', '250', '37 125.00 EUR'],
  // Binary fractions would give 0.30000000000000004, 1.1 and 8.899999999999999.
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
  expect(plain(formatMoney(price, currency))).toBe(written);
});

test('lines with different prices are added exactly', () => {
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
])('%p has no total', (lines) => {
  expect(totalPrice(lines, 'EUR')).toBeUndefined();
});

test('one line without a price leaves no total', () => {
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

test('countries are those of ISO 3166-1, with distinct codes and names, sorted by name', () => {
  expect(countries).toHaveLength(249);
  expect(new Set(countries.map(({ code }) => code)).size).toBe(249);
  expect(new Set(countries.map(({ name }) => name)).size).toBe(249);
  for (const { code, name } of countries) expect(name).not.toBe(code);
  expect(countries.slice(0, 2).map(({ name }) => name)).toEqual(['Afghanistan', 'Åland Islands']);
});

// Each name begins with the letters of another country's code.
test.each([
  ['DK', 'Denmark'],
  ['DE', 'Germany'],
  ['AT', 'Austria'],
  ['IE', 'Ireland'],
  ['EE', 'Estonia'],
  ['CH', 'Switzerland'],
  ['ZA', 'South Africa'],
])('%s is %s', (code, name) => {
  expect([countryName(code), countryName(code.toLowerCase())]).toEqual([name, name]);
});

test.each(['XK', 'Atlantis', 'EU', ''])('%p is not a country, and is returned unchanged', (code) => {
  expect(countryName(code)).toBe(code);
});

test.each([
  ['biochar', 'Nørthern Biochar Oy'],
  ['NORTH', 'Nørthern Biochar Oy'],
  ['café', 'CAFE 2'],
  ['STRASSE', 'Café Straße'],
  ['aether', 'Œuvre Æther'],
  ['lodz', 'Łódź'],
  ['.*', 'Fire.*'],
])('%s is in the name %s', (part, name) => expect(isInName(part, name)).toBe(true));

test('other texts are not in a name', () => expect(isInName('cafeteria', 'Café')).toBe(false));

test('the pseudo-language shows untranslated and cut-off texts', () => {
  const text = translate({ title: 'Keys', left: (days: number) => `${days} days` }, 'pseudo');
  expect(text.title).toBe('[Ķéýš··]');
  expect(text.left(3)).toMatch(/^\[3 ðáýš·+\]$/);
  expect(pseudoTranslate('Sell 250 t').length).toBeGreaterThan('Sell 250 t'.length * 1.3);
});

test('English texts are unchanged', () => {
  expect(translate({ title: 'Keys' }, 'en')).toEqual({ title: 'Keys' });
});
