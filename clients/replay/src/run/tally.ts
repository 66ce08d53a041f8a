import type { Outcome } from '../api/tasks.ts';
import type { RowProblem } from '../file/bad-row.ts';
import type { Row } from '../file/row.ts';
import type { Step, StepKind } from '../plan/steps.ts';

export type TasksByOutcome = Record<Outcome['status'], number>;

/** What became of the rows and of their tasks so far. */
export class Tally {
  readonly tasks: Record<StepKind, TasksByOutcome> = { trade: noTasks(), retirement: noTasks(), offramp: noTasks() };
  /** Tasks that this run made. */
  made = 0;
  /** Tasks that were there already. */
  replayed = 0;
  /** Ranges that were retired or offramped. */
  rangesDone = 0;
  readonly #problems = new Map<number, string>();

  count({ kind }: Step, { status, replayed }: Outcome): void {
    this.tasks[kind][status]++;
    if (kind !== 'trade' && status === 'SUCCESS') this.rangesDone++;
    if (status === 'REFUSED') return;
    if (replayed) this.replayed++;
    else this.made++;
  }

  /** Notes why the row of a line was not applied. The first reason stays: it caused the others. */
  addProblem(line: number, reason: string): void {
    if (!this.#problems.has(line)) this.#problems.set(line, reason);
  }

  /** Notes why nothing was done for these rows, unless they have a problem of their own. */
  leaveOut(rows: readonly Row[], reason: string): void {
    for (const { line } of rows) this.addProblem(line, reason);
  }

  get problems(): RowProblem[] {
    return [...this.#problems].map(([line, reason]) => ({ line, reason }));
  }
}

const noTasks = (): TasksByOutcome => ({ SUCCESS: 0, REJECTED: 0, FAILED: 0, PENDING: 0, REFUSED: 0 });
