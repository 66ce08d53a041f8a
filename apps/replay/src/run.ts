import { Unreachable, type Api } from './api/client.ts';
import { carryOut, taskStatuses, type Outcome, type TaskStatus } from './api/tasks.ts';
import type { Row } from './file/row.ts';
import type { PlannedIssuance } from './plan/plan.ts';
import { requestOf, type Parties } from './plan/requests.ts';
import type { Step, StepKind } from './plan/steps.ts';

export type TasksByStatus = Record<TaskStatus, number>;

const noTasks = (): TasksByStatus => Object.fromEntries(taskStatuses.map((status) => [status, 0])) as TasksByStatus;

/** What became of the tasks so far. */
export class Tally {
  readonly tasks: Record<StepKind, TasksByStatus> = { trade: noTasks(), retirement: noTasks(), offramp: noTasks() };
  readonly problems = new Map<number, string>();
  made = 0;
  replayed = 0;
  rangesDone = 0;

  count({ kind }: Step, { status, replayed }: Outcome): void {
    this.tasks[kind][status]++;
    if (kind !== 'trade' && status === 'SUCCESS') this.rangesDone++;
    if (status === 'REFUSED') return;
    if (replayed) this.replayed++;
    else this.made++;
  }

  /** The first problem of a row is the one that says why. */
  blame(line: number, reason: string): void {
    if (!this.problems.has(line)) this.problems.set(line, reason);
  }
}

export interface RunOptions {
  readonly api: Api;
  readonly parties: Parties;
  readonly concurrency: number;
  readonly tally: Tally;
  readonly onStep: () => void;
}

async function runSteps(
  issuance: PlannedIssuance,
  { api, parties, tally, onStep }: RunOptions,
  isStopped: () => boolean,
): Promise<void> {
  for (const [index, step] of issuance.steps.entries()) {
    if (isStopped()) return leaveOut(rowsFrom(issuance.steps, index), tally, 'not tried: the stack stopped answering');
    const range = `${issuance.serial(step.first)}–${issuance.serial(step.last)}`;
    let outcome: Outcome;
    try {
      outcome = await carryOut(api, requestOf(issuance, step, parties));
    } catch (error) {
      tally.blame(step.row.line, `${step.kind} of ${range}: ${(error as Error).message}`);
      leaveOut(rowsFrom(issuance.steps, index), tally, `not tried: line ${step.row.line} of the same batch failed`);
      throw error;
    }
    tally.count(step, outcome);
    onStep();
    if (outcome.status === 'SUCCESS') continue;
    tally.blame(
      step.row.line,
      `${step.kind} of ${range} ${outcome.status === 'REFUSED' ? 'was refused' : `ended ${outcome.status}`}: ${outcome.message}`,
    );
    return leaveOut(
      rowsFrom(issuance.steps, index),
      tally,
      `not tried: line ${step.row.line} of the same batch failed`,
    );
  }
}

/** Says of rows without a problem of their own why nothing was done for them. */
export function leaveOut(rows: readonly Row[], tally: Tally, reason: string): void {
  for (const { line } of rows) tally.blame(line, reason);
}

const rowsFrom = (steps: readonly Step[], index: number): Row[] => steps.slice(index).map(({ row }) => row);

/**
 * Carries out the steps of all issuances: those of one issuance one after the other, several issuances at a time. What fails ends its own
 * issuance; a stack that does not answer any more ends all.
 * @returns why it stopped early, if it did
 */
export async function runAll(issuances: readonly PlannedIssuance[], options: RunOptions): Promise<string | undefined> {
  // The longest first, so that none of them is left for the end alone.
  const waiting = issuances
    .filter(({ steps }) => steps.length > 0)
    .toSorted((a, b) => b.steps.length - a.steps.length)
    .values();
  let stopped: string | undefined;
  const worker = async (): Promise<void> => {
    for (const issuance of waiting) {
      try {
        await runSteps(issuance, options, () => stopped !== undefined);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        stopped ??= error.message;
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return stopped;
}
