import type { Outcome } from '../api/tasks.ts';
import type { RowProblem } from '../file/bad-row.ts';
import type { Row } from '../file/row.ts';
import type { Step, StepKind } from '../plan/steps.ts';

export type TasksByOutcome = Record<Outcome['status'], number>;

/** Results of rows and tasks so far. */
export class Tally {
  readonly tasks: Record<StepKind, TasksByOutcome> = { trade: noTasks(), retirement: noTasks(), offramp: noTasks() };
  /** Tasks created by this run. */
  created = 0;
  /** Tasks that existed before. */
  replayed = 0;
  /** Retired or offramped ranges. */
  rangesDone = 0;
  readonly #problems = new Map<number, string>();

  count({ kind }: Step, { status, replayed }: Outcome): void {
    this.tasks[kind][status]++;
    if (kind !== 'trade' && status === 'SUCCESS') this.rangesDone++;
    if (status === 'REFUSED') return;
    if (replayed) this.replayed++;
    else this.created++;
  }

  /** Records why a row was not applied. The first reason stays, because it caused the others. */
  addProblem(line: number, reason: string): void {
    if (!this.#problems.has(line)) this.#problems.set(line, reason);
  }

  /** Records why rows were skipped, unless they have a problem of their own. */
  skipRows(rows: readonly Row[], reason: string): void {
    for (const { line } of rows) this.addProblem(line, reason);
  }

  get problems(): RowProblem[] {
    return [...this.#problems].map(([line, reason]) => ({ line, reason }));
  }
}

const noTasks = (): TasksByOutcome => ({ SUCCESS: 0, REJECTED: 0, FAILED: 0, PENDING: 0, REFUSED: 0 });
