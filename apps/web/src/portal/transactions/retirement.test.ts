import { expect, test } from '@jest/globals';
import { describeRetirement, type Retirement } from './retirement.ts';

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
