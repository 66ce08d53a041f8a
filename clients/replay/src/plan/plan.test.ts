import { describe, expect, test } from '@jest/globals';
import { countCertificates, type SerialRange } from '@saleschannel/primitives';
import * as fc from 'fast-check';
import { groupBatches } from '../file/batches.ts';
import { sumVolumes } from '../file/ranges.ts';
import { kinds, readRow, type Column, type Row } from '../file/row.ts';
import { truncate } from '../text.ts';
import { countryCode, countryName } from './countries.ts';
import { assignFacilityCodes, createIssuanceId, createPlan, type Plan } from './plan.ts';
import { buildRequest, createIdempotencyKey, planSteps, type Step, type StepRequest } from './steps.ts';

describe('steps', () => {
  interface Bundle extends SerialRange {
    readonly owner: string;
  }

  /** Ledger rule: a selection begins where a bundle of the seller begins, and ends within it. */
  function take(bundles: readonly Bundle[], step: Step): Bundle[] {
    const bundle = bundles.find(({ owner, first }) => owner === 'seller' && first === step.first);
    if (!bundle) throw new Error(`${step.first} is not the start of a bundle of the seller`);
    if (step.last < step.first || step.last > bundle.last) throw new Error(`${step.last} is not within the bundle`);
    const rest = step.last < bundle.last ? [{ ...bundle, first: step.last + 1n }] : [];
    return bundles.flatMap((other) => (other === bundle ? [{ ...step, owner: step.kind }, ...rest] : [other]));
  }

  const empty: Omit<Row, 'kind' | 'ranges' | 'volume'> = {
    line: 0,
    registry: 'r',
    batch: 'b',
    widths: [1],
    fixedWidth: undefined,
    day: undefined,
    vintage: 2020,
    project: undefined,
    country: undefined,
    beneficiary: undefined,
    purpose: undefined,
  };

  const part = fc.record({
    gap: fc.bigInt(0n, 30n),
    volume: fc.bigInt(1n, 1_000n),
    kind: fc.constantFrom(...kinds),
    order: fc.nat(),
    joins: fc.boolean(),
  });

  /** Rows of one batch without overlaps, in any order: alternating gaps and volumes from some first serial. */
  const batches = fc
    .record({ from: fc.bigInt(1n, 10n ** 37n), parts: fc.array(part, { minLength: 1, maxLength: 40 }) })
    .map(({ from, parts }) => {
      let next = from;
      const rows: (Row & { order: number })[] = [];
      for (const { gap, volume, kind, order, joins } of parts) {
        const range = { first: next + gap, last: next + gap + volume - 1n };
        next = range.last + 1n;
        const before = rows.at(-1);
        if (joins && before?.kind === kind) {
          rows.splice(-1, 1, { ...before, ranges: [range, ...before.ranges], volume: before.volume + volume });
        } else rows.push({ ...empty, kind, ranges: [range], volume, order });
      }
      const shuffled = rows.toSorted((a, b) => a.order - b.order).map((row, index) => ({ ...row, line: index + 2 }));
      return groupIntoOneBatch(shuffled);
    });

  function groupIntoOneBatch(rows: readonly Row[]) {
    const { batches, bad } = groupBatches(rows);
    const [batch, ...others] = batches;
    if (!batch || others.length > 0 || bad.length > 0) throw new Error('these rows are not one batch');
    return batch;
  }

  test('steps select from the start of a bundle, do not overlap, and together match the file', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const steps = planSteps(batch);
        let bundles: Bundle[] = [{ ...batch.range, owner: 'seller' }];
        for (const step of steps) bundles = take(bundles, step);
        expect(sumVolumes(bundles.map(countCertificates))).toBe(countCertificates(batch.range));
        for (const [kind, rowKind] of [
          ['retirement', 'retirement'],
          ['offramp', 'cancellation'],
        ] as const) {
          const taken = steps.filter((step) => step.kind === kind);
          expect(sumVolumes(taken.map(countCertificates))).toBe(
            sumVolumes(batch.rows.filter((row) => row.kind === rowKind).map(({ volume }) => volume)),
          );
          expect(
            taken.every(({ row, first }) => row.kind === rowKind && row.ranges.some((range) => range.first === first)),
          ).toBe(true);
        }
        // Certificates that stayed in the registry are never retired: they are traded or still the seller's.
        const issued = batch.rows.filter(({ kind }) => kind === 'issuance').flatMap(({ ranges }) => ranges);
        const gone = steps.filter(({ kind }) => kind !== 'trade');
        expect(issued.some((range) => gone.some((step) => step.first <= range.last && range.first <= step.last))).toBe(
          false,
        );
      }),
      { numRuns: 300 },
    );
  });

  test('the order of rows does not change the steps', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const shape = (steps: readonly Step[]): unknown => steps.map(({ kind, first, last }) => [kind, first, last]);
        expect(shape(planSteps({ ...batch, rows: batch.rows.toReversed() }))).toEqual(shape(planSteps(batch)));
      }),
    );
  });

  test('a batch with only issuance rows needs no step', () => {
    const row: Row = { ...empty, kind: 'issuance', ranges: [{ first: 1n, last: 9n }], volume: 9n };
    expect(planSteps({ rows: [row], range: { first: 1n, last: 9n } })).toEqual([]);
  });
});

describe('a plan', () => {
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
});
