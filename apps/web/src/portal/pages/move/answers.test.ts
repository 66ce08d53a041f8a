import { expect, test } from '@jest/globals';
import { buildReview } from './answers.ts';
import { fieldGroups } from './fields.ts';

const base = { traderName: 'Nordic Biochar AS', buyerName: 'Borealis', volume: 250, bundles: 2 };
const fields = {
  unitPrice: '148.50',
  currency: 'EUR',
  beneficiaryName: 'Nordlys Ferries AS',
  beneficiaryLocation: 'Bergen, Norway',
  beneficiaryType: 'SUPPLIER',
  retirementPurpose: 'Residual emissions',
  usageType: 'DISCLOSURE',
  consumptionCountryCode: 'DK',
  periodStart: '2025-01-01',
  periodEnd: '2025-12-31',
  publication: 'PUBLIC',
  beneficiaryHiddenUntil: '2027-05-01',
  externalReference: 'PO-4711',
};
const shown = (act: 'trade' | 'retire' | 'offramp', changes: object = {}): string[] =>
  buildReview(act, { ...base, fields: { ...fields, ...changes } }).flatMap(([, value]) =>
    value === null ? [] : [value.replaceAll('\u202f', ' ')],
  );

test('a retirement shows every field, the country by name and the exact total', () => {
  expect(shown('retire')).toEqual([
    'Nordic Biochar AS',
    '250',
    '2',
    '148.50 EUR',
    '37 125.00 EUR',
    'Nordlys Ferries AS',
    'Bergen, Norway',
    'supplier',
    'Residual emissions',
    'disclosure',
    'Denmark',
    '2025-01-01 to 2025-12-31',
    'everyone, in the public register',
    'hidden until 2027-05-01',
    'PO-4711',
  ]);
});

test('every field of every form changes the review', () => {
  for (const act of ['trade', 'retire', 'offramp'] as const) {
    for (const field of fieldGroups[act].flatMap(({ rows }) => rows.flat())) {
      const other = field.options?.find(([value]) => value !== fields[field.name as keyof typeof fields])?.[0] ?? '2';
      expect([field.name, shown(act, { [field.name]: other })]).not.toEqual([field.name, shown(act)]);
    }
  }
});

test('a trade shows buyer, unit price and total, and both prices are omitted if no price is given', () => {
  expect(shown('trade')).toEqual([
    'Nordic Biochar AS',
    'Borealis',
    '250',
    '2',
    '148.50 EUR',
    '37 125.00 EUR',
    'PO-4711',
  ]);
  expect(shown('retire', { unitPrice: '' })).not.toContain('148.50 EUR');
  expect(shown('retire', { unitPrice: '' })).toContain('EUR');
  expect(shown('offramp')).toEqual(['Nordic Biochar AS', '250', '2', 'PO-4711']);
});

test('a missing name and a statement without embargo are stated', () => {
  const texts = shown('retire', { beneficiaryName: ' ', beneficiaryHiddenUntil: '', publication: 'LINK' });
  expect(texts).toEqual(expect.arrayContaining(['not named', 'shown immediately', 'anyone with the link']));
});
