import { formatSerial } from '@saleschannel/primitives';
import type { Api } from '../api/client.ts';
import { UnreachableError } from '../api/faults.ts';
import { executeStep } from '../api/tasks.ts';
import type { PlannedIssuance } from '../plan/plan.ts';
import { buildRequest, type Parties } from '../plan/requests.ts';
import type { Step } from '../plan/steps.ts';
import { readErrorMessage } from '../text.ts';
import type { Tally } from './tally.ts';

interface TransferOptions {
  readonly api: Api;
  readonly parties: Parties;
  /** Issuances processed concurrently. */
  readonly concurrency: number;
  readonly tally: Tally;
  /** Called after each step with a response. */
  readonly onStep: () => void;
}

/**
 * Carries out the steps of all issuances: sequentially within an issuance, several issuances concurrently. A failed
 * step ends its issuance. An unreachable stack ends everything.
 * @returns the reason of an early stop, if any
 */
export async function executeSteps(
  issuances: readonly PlannedIssuance[],
  options: TransferOptions,
): Promise<string | undefined> {
  // Longest first, so that no long issuance runs alone at the end.
  const waiting = issuances
    .filter(({ steps }) => steps.length > 0)
    .toSorted((a, b) => b.steps.length - a.steps.length)
    .values();
  let stopped: string | undefined;
  const worker = async (): Promise<void> => {
    for (const issuance of waiting) {
      try {
        await carryOutIssuance(issuance, options, () => stopped !== undefined);
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        stopped ??= error.message;
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return stopped;
}

/** @throws UnreachableError */
async function carryOutIssuance(
  issuance: PlannedIssuance,
  options: TransferOptions,
  isStopped: () => boolean,
): Promise<void> {
  const { steps } = issuance;
  const skipFrom = (index: number, reason: string): void =>
    options.tally.skipRows(
      steps.slice(index).map(({ row }) => row),
      `skipped: ${reason}`,
    );
  for (const [index, step] of steps.entries()) {
    if (isStopped()) return skipFrom(index, 'the stack stopped responding');
    let isDone = false;
    try {
      isDone = await carryOutStep(issuance, step, options);
    } finally {
      if (!isDone) skipFrom(index, `line ${step.row.line} of the same batch failed`);
    }
    if (!isDone) return;
  }
}

/** True if the step succeeded. Otherwise its row has a problem. @throws UnreachableError */
async function carryOutStep(
  issuance: PlannedIssuance,
  step: Step,
  { api, parties, tally, onStep }: TransferOptions,
): Promise<boolean> {
  const { line } = step.row;
  const serial = (value: bigint): string => formatSerial(value, issuance.batch.form);
  const name = `${step.kind} of ${serial(step.first)}–${serial(step.last)}`;
  try {
    const outcome = await executeStep(api, buildRequest(issuance, step, parties));
    tally.count(step, outcome);
    onStep();
    const { status, message } = outcome;
    if (status === 'SUCCESS') return true;
    tally.addProblem(line, `${name} ${status === 'REFUSED' ? 'was refused' : `ended ${status}`}: ${message}`);
    return false;
  } catch (error) {
    tally.addProblem(line, `${name}: ${readErrorMessage(error)}`);
    throw error;
  }
}
