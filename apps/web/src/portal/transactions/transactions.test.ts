import { expect, test } from '@jest/globals';
import { toApiFilter } from './list.ts';
import { checkEmbargo, describeRetirement, toDay, type Retirement } from './retirement.ts';

test('transaction days include their last moment, and invalid days are ignored', () => {
  expect(toApiFilter({})).toBeUndefined();
  expect(toApiFilter({ type: 'TRADE', trader: 't1', from: '2026-02-27', to: '2026-02-28' })).toEqual({
    type: { eq: 'TRADE' },
    traderId: { eq: 't1' },
    createdAt: { gte: '2026-02-27T00:00:00.000Z', lt: '2026-03-01T00:00:00.000Z' },
  });
  expect(toApiFilter({ from: 'yesterday' })).toBeUndefined();
  expect(toApiFilter({ reference: 'PO 4711' })).toEqual({ externalReference: { eq: 'PO 4711' } });
});

const retirement: Retirement = {
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  beneficiaryType: 'SUPPLIER',
  consumptionCountryCode: 'DK',
  usageType: 'DISCLOSURE',
  consumptionPeriod: { start: '2025-01-01T00:00:00.000Z', end: '2025-12-31T23:59:59.000Z' },
  retirementPurpose: 'Residual emissions',
};
const shown = (changes: object = {}): string[] =>
  describeRetirement({ ...retirement, ...changes }).map(([name, value]) => `${name}: ${value}`);

test('a retirement shows every member in words', () => {
  expect(shown()).toEqual([
    'Beneficiary: Nordlys Ferries AS',
    'Location: Bergen, Norway',
    'Kind: supplier',
    'Purpose: Residual emissions',
    'Type of use: disclosure',
    'Country of use: Denmark',
    'Period of use: 2025-01-01 to 2025-12-31',
  ]);
  expect(shown({ beneficiaryName: '' })).toContain('Beneficiary: not named');
});

test('every member of a retirement changes the text', () => {
  const { consumptionPeriod: period } = retirement;
  const others: object[] = [
    { consumptionPeriod: { ...period, start: '2024-01-01T00:00:00.000Z' } },
    { consumptionPeriod: { ...period, end: '2026-01-01T00:00:00.000Z' } },
    ...Object.keys(retirement).flatMap((name) => (name === 'consumptionPeriod' ? [] : [{ [name]: 'NO' }])),
  ];
  expect(others).toHaveLength(8);
  for (const other of others) expect([other, shown(other)]).not.toEqual([other, shown()]);
});

const today = '2026-11-23';

test.each([
  ['2026-11-22', 'future'],
  ['2026-11-23', 'future'],
  ['1999-01-01', 'future'],
  ['2027-11-24', '2027-11-23'],
  ['2126-11-24', '2027-11-23'],
])('rejects an embargo until %p', (until, why) => {
  expect(checkEmbargo(until, today, today)).toContain(why);
});

test.each(['2026-11-24', '2027-11-23'])('accepts an embargo until %p', (until) => {
  expect(checkEmbargo(until, today, today)).toBeUndefined();
});

test('counts twelve months from the retirement', () => {
  expect(checkEmbargo('2027-03-01', '2026-02-28', today)).toContain('2027-02-28');
});

test('uses days in UTC', () => {
  expect(toDay(Date.parse('2026-11-23T23:59:59.999Z'))).toBe(today);
});
