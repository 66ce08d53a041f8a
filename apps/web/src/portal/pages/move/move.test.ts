import { describe, expect, test } from '@jest/globals';
import { createNoResponseError, toApiError } from '../../../shared/api/problem.ts';
import { checkTransfer, fieldGroups, groupTransferFaults, isRejection } from './fields.ts';
import { buildBody, buildReview } from './request.ts';

const selections = [
  { start: 'i_1', end: 'i_40' },
  { start: 'j_707057500123456789000000000000000101', end: 'j_707057500123456789000000000000000140' },
];
const retirement = {
  beneficiaryName: ' Nordlys "Ferries" AS ',
  beneficiaryLocation: 'Bergen, Norway',
  beneficiaryType: 'END_CONSUMER',
  consumptionCountryCode: 'no',
  usageType: 'OTHER',
  periodStart: '2024-01-01',
  periodEnd: '2024-12-31',
  retirementPurpose: 'Residual emissions',
  publication: 'LINK',
};

describe('the request body', () => {
  test('keeps the digits of the price as typed', () => {
    const body = buildBody(
      'trade',
      { buyerId: 'b', fields: { unitPrice: '999999999.100000', currency: 'EUR' } },
      selections,
    );
    expect(body.match(/"unitPrice":999999999\.100000[,}]/g)).toHaveLength(2);
    expect(JSON.parse(body)).toEqual({
      buyerId: 'b',
      currency: 'EUR',
      assets: selections.map((range) => ({ ...range, unitPrice: 999_999_999.1 })),
    });
  });

  test('rejects anything but a decimal number as price', () => {
    for (const unitPrice of ['007', '1,5', '1e3', '-1', '1,"volume":2', '0.1234567']) {
      expect(() => buildBody('trade', { buyerId: 'b', fields: { unitPrice, currency: 'EUR' } }, selections)).toThrow(
        'price',
      );
    }
  });

  test('has the chosen currency even without a price', () => {
    const body = (currency: string) => buildBody('retire', { fields: { ...retirement, currency } }, selections);
    expect(JSON.parse(body('USD'))).toMatchObject({ currency: 'USD', assets: selections });
    expect(JSON.parse(body(''))).toMatchObject({ currency: null, assets: selections });
  });

  test('states the details of a retirement', () => {
    expect(JSON.parse(buildBody('retire', { fields: { ...retirement, currency: '' } }, selections))).toEqual({
      beneficiaryName: 'Nordlys "Ferries" AS',
      beneficiaryLocation: 'Bergen, Norway',
      beneficiaryType: 'END_CONSUMER',
      consumptionCountryCode: 'NO',
      usageType: 'OTHER',
      consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T23:59:59.000Z' },
      retirementPurpose: 'Residual emissions',
      statement: { publication: 'LINK' },
      currency: null,
      assets: selections,
    });
  });

  test('hides the beneficiary until the chosen day', () => {
    const fields = { ...retirement, beneficiaryHiddenUntil: '2026-05-01', publication: 'PUBLIC' };
    expect(JSON.parse(buildBody('retire', { fields }, selections))).toMatchObject({
      statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: '2026-05-01T00:00:00.000Z' },
    });
  });

  test('has the reference, if given', () => {
    for (const act of ['trade', 'retire', 'offramp'] as const) {
      const fields = { ...retirement, currency: 'EUR' };
      const body = (externalReference: string) =>
        JSON.parse(buildBody(act, { buyerId: 'b', fields: { ...fields, externalReference } }, selections)) as object;
      expect(body(' PO-"4711" ')).toMatchObject({ externalReference: 'PO-"4711"', assets: selections });
      expect(body('  ')).not.toHaveProperty('externalReference');
    }
  });

  test('has only the selections for an offramp', () => {
    expect(buildBody('offramp', { fields: {} }, selections)).toBe(JSON.stringify({ assets: selections }));
  });
});

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

describe('errors of a transfer', () => {
  test('belong to fields, selections or neither', () => {
    const { atFields, atAssets, others } = groupTransferFaults([
      { pointer: '#/assets/0/unitPrice', detail: 'too many digits', code: 'a' },
      { pointer: '#/assets/2/start', detail: 'is reserved', code: 'b' },
      { pointer: '#/assets/1', detail: 'is unknown', code: 'b' },
      { pointer: '#/consumptionPeriod/end', detail: 'is too early', code: 'c' },
      { pointer: '#/assets', detail: 'are too many', code: 'd' },
    ]);
    expect(Object.fromEntries(atFields)).toEqual({
      '/unitPrice': 'too many digits',
      '/consumptionPeriod/end': 'is too early',
    });
    expect([...atAssets]).toEqual([
      [2, 'is reserved'],
      [1, 'is unknown'],
    ]);
    expect(others).toEqual(['/assets: are too many']);
  });

  test('only a definite rejection allows a new key', () => {
    const answered = (status: number) => toApiError(status, {}, new Headers());
    expect([400, 403, 404, 413].map((status) => isRejection(answered(status)))).toEqual([true, true, true, true]);
    expect([401, 429, 500, 502, 503, 504].some((status) => isRejection(answered(status)))).toBe(false);
    expect(isRejection(createNoResponseError())).toBe(false);
  });
});

const now = Date.parse('2026-11-23T20:00:00Z');
const good = { periodStart: '2025-01-01', periodEnd: '2025-12-31', beneficiaryHiddenUntil: '2027-01-01' };

test.each([
  [{}, []],
  [{ periodStart: '2025-12-31', periodEnd: '2025-12-31' }, []],
  [{ beneficiaryHiddenUntil: '' }, []],
  [{ periodStart: '2025-12-31', periodEnd: '2025-01-01' }, ['periodEnd']],
  [{ unitPrice: '1', currency: '' }, ['currency']],
  [{ unitPrice: '1', currency: 'EUR' }, []],
  [{ unitPrice: '', currency: 'EUR' }, []],
  [{ beneficiaryHiddenUntil: '2026-11-23' }, ['beneficiaryHiddenUntil']],
  [{ beneficiaryHiddenUntil: '2028-01-01' }, ['beneficiaryHiddenUntil']],
  [{ periodStart: '2026-01-01', beneficiaryHiddenUntil: '2020-01-01' }, ['periodEnd', 'beneficiaryHiddenUntil']],
])('a retirement with %p has errors at %p', (changes, names) => {
  expect(checkTransfer('retire', { ...good, ...changes }, now).map(([name]) => name)).toEqual(names);
});

test('states the error', () => {
  expect(checkTransfer('retire', { ...good, periodEnd: '2024-12-31' }, now)).toEqual([
    ['periodEnd', 'The last day of the period must not be before its first day, 2025-01-01.'],
  ]);
});

test.each(['trade', 'offramp'] as const)('a %s has neither period nor embargo', (act) => {
  expect(checkTransfer(act, { periodStart: '2025-12-31', periodEnd: '2025-01-01' }, now)).toEqual([]);
});
