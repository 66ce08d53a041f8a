import { setTimeout as delay } from 'node:timers/promises';
import { formatSerial } from '@saleschannel/primitives';
import { z } from 'zod';
import { json, RefusedError, retryAfterMs, UnreachableError, type Api } from '../api/client.ts';
import type { RowProblem } from '../file/ranges.ts';
import type { Row } from '../file/row.ts';
import {
  buildRequest,
  type Parties,
  type PlannedIssuance,
  type Step,
  type StepKind,
  type StepRequest,
} from '../plan/steps.ts';
import { readErrorMessage } from '../text.ts';

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

const FIRST_PAUSE_MS = 20;
const PAUSE_GROWTH = 1.6;
const PAUSE_AT_MOST_MS = 1_000;
/** Longer than any restart. A task still PENDING then awaits approval by an account holder. */
const TIMEOUT_MS = 180_000;
const KEY_REUSED = '/problems/idempotency-key-reused';
const FILE_CHANGED = 'an earlier run moved these serials with other data: the file has changed since';

const taskSchema = z.object({
  taskId: z.string(),
  status: z.enum(['SUCCESS', 'REJECTED', 'FAILED', 'PENDING']),
  message: z.string(),
});

/** Outcome of a step: status of its task, or REFUSED if no task was created. */
export const outcomes = [...taskSchema.shape.status.options, 'REFUSED'] as const;

interface Outcome {
  readonly status: (typeof outcomes)[number];
  /** The task was created by an earlier run, or by an attempt whose response was lost. */
  readonly replayed: boolean;
  readonly message: string;
}

/** Starts the task of a step, or finds the existing task, and waits for its end. @throws UnreachableError */
async function executeStep(api: Api, request: StepRequest): Promise<Outcome> {
  try {
    return await runTask(api, request);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const message = error.type === KEY_REUSED ? FILE_CHANGED : error.message;
    return { status: 'REFUSED', replayed: false, message };
  }
}

async function runTask(api: Api, { path, idempotencyKey, body }: StepRequest): Promise<Outcome> {
  let answer = await api.send({
    method: 'POST',
    path,
    status: 201,
    schema: taskSchema,
    content: json(body),
    headers: { 'idempotency-key': idempotencyKey },
  });
  const replayed = answer.headers['idempotency-replayed'] === 'true';
  const until = Date.now() + TIMEOUT_MS;
  const statusPath = `${path}/${encodeURIComponent(answer.body.taskId)}`;
  for (let pauseMs = FIRST_PAUSE_MS; answer.body.status === 'PENDING' && Date.now() < until; pauseMs *= PAUSE_GROWTH) {
    // Retry-After counts whole seconds, whereas most tasks end within a second.
    await delay(Math.min(pauseMs, retryAfterMs(answer.headers) || PAUSE_AT_MOST_MS));
    answer = await api.send({ method: 'GET', path: statusPath, status: 200, schema: taskSchema });
  }
  const { status, message } = answer.body;
  return { status, replayed, message };
}
