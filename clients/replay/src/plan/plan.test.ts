import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { groupBatches } from '../file/batches.ts';
import { readRow, type Column } from '../file/row.ts';
import { truncate } from '../text.ts';
import { countryCode, countryName } from './countries.ts';
import { assignFacilityCodes, createIdempotencyKey, createIssuanceId } from './ids.ts';
import { createPlan, type Plan } from './plan.ts';
import { buildRequest, type StepRequest } from './requests.ts';

const listing = { accountHolderId: 'holder', salesChannelId: 'channel' };
const parties = { sellerId: 'one', buyerId: 'two' };

const cells: Partial<Record<Column, string>> = {
  registry: 'nord',
  kind: 'retirement',
  batch: 'b',
  start: '0011',
  end: '0020',
  quantity: '10',
  vintage: '2023',
  project: 'P',
};

/** Plans rows that differ from `cells` as given. */
function plan(...changes: Partial<Record<Column, string>>[]): Plan {
  const rows = changes.map((change, index) => readRow(index + 2, (column) => ({ ...cells, ...change })[column]));
  const { batches, bad } = groupBatches(rows);
  expect(bad).toEqual([]);
  return createPlan(batches, listing);
}

/** Requests of all steps, by issuance. */
const buildRequests = ({ issuances }: Plan): StepRequest[][] =>
  issuances.map((issuance) => issuance.steps.map((step) => buildRequest(issuance, step, parties)));

test('an issuance spans its rows, keeps their format and names its facility', () => {
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
  const [facility, issuance] = records;
  expect(issuance?.json['productionFacilityCode']).toBe(facility?.json['code']);
  expect(issuance?.lines).toEqual([2, 3]);
});

test('a retirement has the texts of its row, or defaults', () => {
  const planned = plan(
    { date: '4/13/2026 7:15:01 PM', country: 'Viet Nam', beneficiary: '江'.repeat(300), purpose: 'p' },
    { batch: 'c', country: 'Atlantis' },
    { batch: 'd' },
  );
  const bodies = buildRequests(planned).map(([retirement]) => retirement?.body);
  const issuanceId = planned.issuances[0]?.issuanceId;
  expect(bodies[0]).toEqual({
    beneficiaryName: `${'江'.repeat(199)}…`,
    beneficiaryLocation: 'Vietnam',
    consumptionCountryCode: 'VN',
    consumptionPeriod: { start: '2026-04-13T00:00:00.000Z', end: '2026-04-13T23:59:59.999Z' },
    retirementPurpose: 'p',
    currency: null,
    assets: [{ start: `${issuanceId}_0011`, end: `${issuanceId}_0020` }],
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

test('gaps are traded, cancellations offramped, and each step has a stable key of its own', () => {
  const requests = (): StepRequest[] =>
    buildRequests(plan({ start: '0001', end: '0002', quantity: '2' }, { kind: 'cancellation' })).flat();
  expect(requests().map(({ path }) => path.split('/').at(-1))).toEqual(['retire', 'trade', 'offramp']);
  const [, trade, offramp] = requests().map(({ body }) => body);
  expect(trade).toMatchObject({ buyerId: 'two', currency: 'EUR', assets: [{ unitPrice: 0 }] });
  expect(Object.keys(offramp ?? {})).toEqual(['assets']);
  expect(requests()).toEqual(requests());
  expect(new Set(requests().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});

test('ids and keys never change, so that replayed files can be replayed again', () => {
  const planned = plan({ project: '' });
  expect(planned.records.map(({ json }) => json['code'] ?? json['issuanceId'])).toEqual([
    'WXZX7E',
    '81dd3e1f-4848-5fe0-b49f-a88ad081f568',
  ]);
  const keys = buildRequests(planned).flatMap((requests) => requests.map(({ idempotencyKey }) => idempotencyKey));
  expect(keys).toEqual(['SUrYhuP0pml0cb-Y56HLJaD3PtTBpbP5sWHOWeMPr9Y']);
});

test('ids have the format of the API and differ if their parts do', () => {
  const part = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(part, part, part, (a, b, c) => {
      expect(createIssuanceId(a, b)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(createIssuanceId(a, b)).toBe(createIssuanceId(a, b));
      expect(createIdempotencyKey(a, b, '1', '2', c)).toMatch(/^[\w-]{32,43}$/);
      if (a !== c) expect(createIssuanceId(a, b)).not.toBe(createIssuanceId(c, b));
      if (a !== '') expect(createIssuanceId(a, b)).not.toBe(createIssuanceId('', a + b));
    }),
  );
});

test('every facility has its own code, even if hashes collide', () => {
  const codes = assignFacilityCodes(['c', 'a', 'b', 'a'], (_key, attempt) => `CODE0${attempt}`);
  expect([...codes]).toEqual([
    ['a', 'CODE00'],
    ['b', 'CODE01'],
    ['c', 'CODE02'],
  ]);
  expect(assignFacilityCodes(['x', 'y'])).toEqual(assignFacilityCodes(['y', 'x']));
});

test.each([
  ['US', 'US'],
  ['us', 'US'],
  ['UK', 'GB'],
  ['XX', 'ZZ'],
  ['EU', 'ZZ'],
  ['', 'ZZ'],
  [undefined, 'ZZ'],
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
  for (const code of codes) expect([code, countryCode(countryName(code))]).toEqual([code, code]);
});

test('a text is cut between characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      const short = truncate(text, max);
      expect([...short].length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(text.isWellFormed());
      if ([...text].length <= max) expect(short).toBe(text);
      else expect(short.endsWith('…')).toBe(true);
    }),
  );
});
