import type { SerialRange } from '@saleschannel/primitives';
import type { Batch } from '../file/batches.ts';
import { compareByFirst } from '../file/ranges.ts';
import type { Kind, Row } from '../file/row.ts';

export const stepKinds = ['trade', 'retirement', 'offramp'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One selection of an issuance. */
export interface Step extends SerialRange {
  readonly kind: StepKind;
  /** Row that requires the step. A trade makes a range of this row selectable. */
  readonly row: Row;
}

/** Step for each kind of row. Issuance rows need only the import. */
const stepKindByRowKind: Readonly<Record<Kind, StepKind | undefined>> = {
  issuance: undefined,
  retirement: 'retirement',
  cancellation: 'offramp',
};

/**
 * Steps for the certificates of an issuance, in ascending order. The ledger accepts selections only from the start of a
 * bundle, so certificates before a range are traded away first: gaps, or certificates that stayed in the registry.
 * Certificates after the last range stay.
 */
export function planSteps({ rows, range }: Pick<Batch, 'rows' | 'range'>): Step[] {
  const required = rows.flatMap((row): Step[] => {
    const kind = stepKindByRowKind[row.kind];
    return kind ? row.ranges.map(({ first, last }) => ({ kind, first, last, row })) : [];
  });
  const steps: Step[] = [];
  let next = range.first;
  for (const step of required.toSorted(compareByFirst)) {
    if (next < step.first) steps.push({ kind: 'trade', first: next, last: step.first - 1n, row: step.row });
    steps.push(step);
    next = step.last + 1n;
  }
  return steps;
}
