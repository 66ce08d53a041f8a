import type { Batch } from '../file/batches.ts';
import { byFirst, type SerialRange } from '../file/ranges.ts';
import type { Row } from '../file/row.ts';

export const stepKinds = ['trade', 'retirement', 'offramp'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One selection of the issuance, to be taken in this order. */
export interface Step extends SerialRange {
  readonly kind: StepKind;
  /** The row that asks for it; a trade clears the way to this row's range. */
  readonly row: Row;
}

const moveOf = { retirement: 'retirement', cancellation: 'offramp' } as const;

/**
 * What to do with the certificates of an issuance, in ascending order. The ledger takes a selection from the start of a bundle only, so
 * what lies before a range, a gap or certificates that stayed in the registry, is traded away first. The tail behind the last range stays.
 */
export function stepsOf({ rows, range }: Pick<Batch, 'rows' | 'range'>): Step[] {
  const moves = rows.flatMap((row): Step[] =>
    row.kind === 'issuance'
      ? []
      : row.ranges.map(({ first, last }) => ({ first, last, row, kind: moveOf[row.kind as keyof typeof moveOf] })),
  );
  const steps: Step[] = [];
  let next = range.first;
  for (const move of moves.toSorted(byFirst)) {
    if (next < move.first) steps.push({ kind: 'trade', first: next, last: move.first - 1n, row: move.row });
    steps.push(move);
    next = move.last + 1n;
  }
  return steps;
}
