/** A row that was not applied, and why. `line` counts from 1. */
export interface RowProblem {
  readonly line: number;
  readonly reason: string;
}

/** A row cannot be used. The message says why. */
export class BadRow extends Error {
  override name = 'BadRow';
}
