import { expect, test } from '@jest/globals';
import { rangeVolume, type SerialRange } from '@saleschannel/primitives';
import * as fc from 'fast-check';
import { groupBatches } from '../file/batches.ts';
import { sumVolumes } from '../file/ranges.ts';
import { kinds, type Row } from '../file/row.ts';
import { planSteps, type Step } from './steps.ts';

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
      expect(sumVolumes(bundles.map(rangeVolume))).toBe(rangeVolume(batch.range));
      for (const [kind, rowKind] of [
        ['retirement', 'retirement'],
        ['offramp', 'cancellation'],
      ] as const) {
        const taken = steps.filter((step) => step.kind === kind);
        expect(sumVolumes(taken.map(rangeVolume))).toBe(
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
