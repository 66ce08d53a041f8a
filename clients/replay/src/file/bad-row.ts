/** A row that was not applied, and why. `line` counts from 1. */
export interface RowProblem {
  readonly line: number;
  readonly reason: string;
}

/** An unusable row. The message states the reason. */
export class RowError extends Error {
  override name = 'RowError';
}
