import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { batchesOf } from '../file/batches.ts';
import { readRow, type Column } from '../file/row.ts';
import { cut } from '../text.ts';
import { countryCode, countryName } from './countries.ts';
import { facilityCodesOf, idempotencyKeyOf, issuanceIdOf } from './ids.ts';
import { planOf, type Plan } from './plan.ts';
import { requestOf } from './requests.ts';

const listing = { accountHolderId: 'holder', salesChannelId: 'channel' };
const parties = { sellerId: 'one', buyerId: 'two' };

function plan(...given: Partial<Record<Column, string>>[]): Plan {
  const rows = given.map((cells, index) => {
    const all: Partial<Record<Column, string>> = {
      registry: 'nord',
      kind: 'retirement',
      batch: 'b',
      start: '0011',
      end: '0020',
      quantity: '10',
      vintage: '2023',
      project: 'P',
      ...cells,
    };
    return readRow(index + 2, (column) => all[column] ?? '');
  });
  return planOf(
    batchesOf(rows, (line, reason) => {
      throw new Error(`${line}: ${reason}`);
    }),
    listing,
  );
}

test('an issuance spans its rows, in their written form, and names its facility', () => {
  const { records } = plan(
    { country: 'Nowhere' },
    { start: '0001', end: '0002', quantity: '2', kind: 'issuance', date: '2024-03-01', country: 'Norway' },
  );
  expect(records.map(({ json }) => json)).toEqual([
    {
      type: 'production-facility',
      code: expect.stringMatching(/^[0-9A-Z]{6}$/),
      name: 'P',
      country: 'NO',
      methodologyCodes: [],
      supplier: 'P',
    },
    expect.objectContaining({
      type: 'issuance',
      firstSerial: '0001',
      lastSerial: '0020',
      vintage: 2023,
      issuingDate: '2024-03-01T00:00:00.000Z',
      registry: 'NORD',
      ...listing,
    }),
  ]);
  expect(records[1]!.json['productionFacilityCode']).toBe(records[0]!.json['code']);
  expect(records[1]!.lines).toEqual([2, 3]);
});

test('a retirement says what the row says, and what to say when it says nothing', () => {
  const { issuances } = plan(
    { date: '4/13/2026 7:15:01 PM', country: 'Viet Nam', beneficiary: '江'.repeat(300), purpose: 'p' },
    { batch: 'c', country: 'Atlantis' },
    { batch: 'd' },
  );
  const bodies = issuances.map((issuance) => requestOf(issuance, issuance.steps[0]!, parties).body);
  expect(bodies[0]).toEqual({
    beneficiaryName: `${'江'.repeat(199)}…`,
    beneficiaryLocation: 'Vietnam',
    consumptionCountryCode: 'VN',
    consumptionPeriod: { start: '2026-04-13T00:00:00.000Z', end: '2026-04-13T23:59:59.999Z' },
    retirementPurpose: 'p',
    currency: null,
    assets: [{ start: `${issuances[0]!.issuanceId}_0011`, end: `${issuances[0]!.issuanceId}_0020` }],
  });
  expect(bodies[1]).toMatchObject({
    beneficiaryName: 'Not disclosed',
    beneficiaryLocation: 'Atlantis',
    consumptionCountryCode: 'ZZ',
    retirementPurpose: 'Not stated',
  });
  expect(bodies[2]).toMatchObject({
    beneficiaryLocation: 'Not disclosed',
    consumptionPeriod: { start: '2023-01-01T00:00:00.000Z', end: '2023-12-31T23:59:59.999Z' },
  });
});

test('gaps are traded, cancellations offramped, and each step has a key of its own that stays', () => {
  const steps = (): ReturnType<typeof requestOf>[] => {
    const [issuance] = plan({ start: '0001', end: '0002', quantity: '2' }, { kind: 'cancellation' }).issuances;
    return issuance!.steps.map((step) => requestOf(issuance!, step, parties));
  };
  expect(steps().map(({ path }) => path.split('/').at(-1))).toEqual(['retire', 'trade', 'offramp']);
  expect(steps()[1]!.body).toMatchObject({ buyerId: 'two', currency: 'EUR', assets: [{ unitPrice: 0 }] });
  expect(Object.keys(steps()[2]!.body)).toEqual(['assets']);
  expect(steps()).toEqual(steps());
  expect(new Set(steps().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});

test('ids are of the form that the API wants, and differ when their parts do', () => {
  const part = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(part, part, part, (a, b, c) => {
      expect(issuanceIdOf(a, b)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(issuanceIdOf(a, b)).toBe(issuanceIdOf(a, b));
      expect(idempotencyKeyOf(a, b, '1', '2', c)).toMatch(/^[\w-]{32,43}$/);
      if (a !== c) expect(issuanceIdOf(a, b)).not.toBe(issuanceIdOf(c, b));
      if (a !== '') expect(issuanceIdOf(a, b)).not.toBe(issuanceIdOf('', a + b));
    }),
  );
});

test('facilities have codes of their own, also when hashes collide', () => {
  const codes = facilityCodesOf(['c', 'a', 'b', 'a'], (_key, attempt) => `CODE0${attempt}`);
  expect([...codes]).toEqual([
    ['a', 'CODE00'],
    ['b', 'CODE01'],
    ['c', 'CODE02'],
  ]);
  expect(facilityCodesOf(['x', 'y'])).toEqual(facilityCodesOf(['y', 'x']));
});

test.each([
  ['US', 'US'],
  ['us', 'US'],
  ['UK', 'GB'],
  ['XX', 'ZZ'],
  ['EU', 'ZZ'],
  ['', 'ZZ'],
  ['Viet Nam', 'VN'],
  ['Turkey', 'TR'],
  ['Türkiye', 'TR'],
  ['Congo', 'CG'],
  ["Côte d'Ivoire", 'CI'],
  ['Cote d’Ivoire', 'CI'],
  ['Congo, The Democratic Republic of the', 'CD'],
  ['Lao PDR', 'LA'],
  ['中国', 'CN'],
  ['Brasil', 'BR'],
  ['البرازيل', 'BR'],
  ['Bosnia & Herzegovina', 'BA'],
  ['Trinidad and Tobago', 'TT'],
  ['The Gambia', 'GM'],
  ['Namibia', 'NA'],
  ['Middle Earth', 'ZZ'],
  ['constructor', 'ZZ'],
])('the country %j is %s', (cell, code) => {
  expect(countryCode(cell)).toBe(code);
});

test('every country is found by its English name', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const codes = new Set([...letters].flatMap((one) => [...letters].map((two) => countryCode(one + two))));
  codes.delete('ZZ');
  expect(codes.size).toBeGreaterThan(240);
  for (const code of codes) expect([code, countryCode(countryName(code)!)]).toEqual([code, code]);
});

test('texts are cut by characters, never within one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      const short = cut(text, max);
      expect([...short].length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(text.isWellFormed());
      if ([...text].length <= max) expect(short).toBe(text);
      else expect(short.endsWith('…')).toBe(true);
    }),
  );
});
