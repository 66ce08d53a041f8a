import type { SerialRange } from '@saleschannel/primitives';
import type { Batch } from '../file/batches.ts';
import { byFirst } from '../file/ranges.ts';
import type { Kind, Row } from '../file/row.ts';

export const stepKinds = ['trade', 'retirement', 'offramp'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One selection of an issuance. */
export interface Step extends SerialRange {
  readonly kind: StepKind;
  /** The row that asks for it. A trade clears the way to a range of this row. */
  readonly row: Row;
}

/** What carries out the rows of a kind. Issuance rows ask for nothing but the import. */
const stepKindOf: Readonly<Record<Kind, StepKind | undefined>> = {
  issuance: undefined,
  retirement: 'retirement',
  cancellation: 'offramp',
};

/**
 * What to do with the certificates of an issuance, in ascending order. The ledger takes a selection only from the start
 * of a bundle. So what lies before a range is traded away first: a gap, or certificates that stayed in the registry.
 * What lies after the last range stays.
 */
export function stepsOf({ rows, range }: Pick<Batch, 'rows' | 'range'>): Step[] {
  const wanted = rows.flatMap((row): Step[] => {
    const kind = stepKindOf[row.kind];
    return kind ? row.ranges.map(({ first, last }) => ({ kind, first, last, row })) : [];
  });
  const steps: Step[] = [];
  let next = range.first;
  for (const step of wanted.toSorted(byFirst)) {
    if (next < step.first) steps.push({ kind: 'trade', first: next, last: step.first - 1n, row: step.row });
    steps.push(step);
    next = step.last + 1n;
  }
  return steps;
}
