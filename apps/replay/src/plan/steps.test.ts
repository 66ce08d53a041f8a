import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { batchesOf, type Batch } from '../file/batches.ts';
import { totalOf, volumeOf, type SerialRange } from '../file/ranges.ts';
import { kinds, type Row } from '../file/row.ts';
import { stepsOf, type Step } from './steps.ts';

interface Bundle extends SerialRange {
  readonly owner: string;
}

/** The ledger's rule for a selection: it begins where a bundle of the seller begins and ends within it. */
function take(bundles: readonly Bundle[], step: Step): Bundle[] {
  const bundle = bundles.find(({ owner, first }) => owner === 'seller' && first === step.first);
  if (!bundle) throw new Error(`${step.first} is not the start of a bundle of the seller`);
  if (step.last < step.first || step.last > bundle.last) throw new Error(`${step.last} is not within the bundle`);
  const rest = step.last < bundle.last ? [{ ...bundle, first: step.last + 1n }] : [];
  return bundles.flatMap((other) => (other === bundle ? [{ ...step, owner: step.kind }, ...rest] : [other]));
}

/** Rows of one batch, in any order, that share no certificate: gaps and volumes alternate from some first serial on. */
const batches = fc
  .record({
    from: fc.bigInt(1n, 10n ** 37n),
    parts: fc.array(
      fc.record({
        gap: fc.bigInt(0n, 30n),
        volume: fc.bigInt(1n, 1_000n),
        kind: fc.constantFrom(...kinds),
        order: fc.nat(),
        joins: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  })
  .map(({ from, parts }): { batch: Batch; refused: number } => {
    let next = from;
    const rows: (Row & { order: number })[] = [];
    for (const { gap, volume, kind, order, joins } of parts) {
      const range = { first: next + gap, last: next + gap + volume - 1n };
      next = range.last + 1n;
      const before = rows.at(-1);
      if (joins && before?.kind === kind)
        rows.push({ ...rows.pop()!, ranges: [range, ...before.ranges], volume: before.volume + volume });
      else rows.push({ ...empty, kind, ranges: [range], volume, order });
    }
    const shuffled = rows.toSorted((a, b) => a.order - b.order).map((row, index) => ({ ...row, line: index + 2 }));
    let refused = 0;
    const [batch] = batchesOf(shuffled, () => refused++);
    return { batch: batch!, refused };
  });

const empty: Omit<Row, 'kind' | 'ranges' | 'volume'> = {
  line: 0,
  registry: 'r',
  batch: 'b',
  widths: [1],
  hasLeadingZeros: false,
  day: undefined,
  vintage: 2020,
  project: '',
  country: '',
  beneficiary: '',
  purpose: '',
};

test('each step selects from the start of a bundle, none overlaps another, and together they are what the file says', () => {
  fc.assert(
    fc.property(batches, ({ batch, refused }) => {
      expect(refused).toBe(0);
      const steps = stepsOf(batch);
      let bundles: Bundle[] = [{ ...batch.range, owner: 'seller' }];
      for (const step of steps) bundles = take(bundles, step);
      expect(totalOf(bundles.map(volumeOf))).toBe(volumeOf(batch.range));
      for (const [kind, rowKind] of [
        ['retirement', 'retirement'],
        ['offramp', 'cancellation'],
      ] as const) {
        const taken = steps.filter((step) => step.kind === kind);
        expect(totalOf(taken.map(volumeOf))).toBe(
          totalOf(batch.rows.filter((row) => row.kind === rowKind).map(({ volume }) => volume)),
        );
        expect(
          taken.every(({ row, first }) => row.kind === rowKind && row.ranges.some((range) => range.first === first)),
        ).toBe(true);
      }
      // Nobody loses what the file says stayed: issued ranges are traded or still the seller's, never retired.
      const kept = batch.rows.filter(({ kind }) => kind === 'issuance').flatMap(({ ranges }) => ranges);
      const gone = steps.filter(({ kind }) => kind !== 'trade');
      expect(kept.some((range) => gone.some((step) => step.first <= range.last && range.first <= step.last))).toBe(
        false,
      );
    }),
    { numRuns: 300 },
  );
});

test('the same rows in another order give the same steps', () => {
  fc.assert(
    fc.property(batches, ({ batch }) => {
      const shape = (steps: readonly Step[]): unknown => steps.map(({ kind, first, last }) => [kind, first, last]);
      expect(shape(stepsOf({ ...batch, rows: batch.rows.toReversed() }))).toEqual(shape(stepsOf(batch)));
    }),
  );
});

test('a batch of issuance rows alone needs no step', () => {
  const row: Row = { ...empty, kind: 'issuance', ranges: [{ first: 1n, last: 9n }], volume: 9n };
  expect(stepsOf({ rows: [row], range: { first: 1n, last: 9n } })).toEqual([]);
});
