import { setTimeout as sleep } from 'node:timers/promises';
import type { StepRequest } from '../plan/requests.ts';
import { Refused, retryAfterMs, type Api } from './client.ts';

const FIRST_PAUSE_MS = 20;
const PAUSE_GROWTH = 1.6;
const PAUSE_AT_MOST_MS = 1_000;
/** Longer than any restart; a task that is still PENDING then waits for somebody's approval, or for nobody. */
const ENDS_WITHIN_MS = 180_000;
const KEY_REUSED = '/problems/idempotency-key-reused';

export const taskStatuses = ['SUCCESS', 'REJECTED', 'FAILED', 'PENDING', 'REFUSED'] as const;
/** As the API says, and REFUSED when no task was made. */
export type TaskStatus = (typeof taskStatuses)[number];

export interface Outcome {
  readonly status: TaskStatus;
  /** The task was made by an earlier run, or by an attempt whose answer was lost. */
  readonly replayed: boolean;
  readonly message: string;
}

interface Task {
  readonly taskId: string;
  readonly status: Exclude<TaskStatus, 'REFUSED'>;
  readonly message: string;
}

/** Why no task was made or found. */
function refusal(error: unknown): Outcome {
  if (!(error instanceof Refused)) throw error;
  const message =
    error.problem.type === KEY_REUSED
      ? 'these serials were moved by an earlier run for a row that said something else: the file has changed since'
      : error.message;
  return { status: 'REFUSED', replayed: false, message };
}

async function follow(api: Api, { path, idempotencyKey, body }: StepRequest): Promise<Outcome> {
  let answer = await api.send<Task>('POST', path, [201], {
    json: body,
    headers: { 'idempotency-key': idempotencyKey },
  });
  const replayed = answer.headers['idempotency-replayed'] === 'true';
  const until = Date.now() + ENDS_WITHIN_MS;
  const statusPath = `${path}/${encodeURIComponent(answer.body.taskId)}`;
  for (let pauseMs = FIRST_PAUSE_MS; answer.body.status === 'PENDING' && Date.now() < until; pauseMs *= PAUSE_GROWTH) {
    await sleep(Math.min(pauseMs, retryAfterMs(answer.headers) || PAUSE_AT_MOST_MS));
    answer = await api.send<Task>('GET', statusPath, [200]);
  }
  return { status: answer.body.status, replayed, message: answer.body.message };
}

/**
 * Starts the task of a step, or finds it started, and waits for its end. It is asked for soon and then at growing intervals, up to what
 * Retry-After says: that header counts whole seconds, and nearly all tasks end in less than one.
 * @throws Unreachable
 */
export async function carryOut(api: Api, request: StepRequest): Promise<Outcome> {
  try {
    return await follow(api, request);
  } catch (error) {
    return refusal(error);
  }
}
