import { describe, expect, test } from '@jest/globals';
import { buildBody } from './body.ts';

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
