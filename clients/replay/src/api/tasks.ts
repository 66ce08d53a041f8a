import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { StepRequest } from '../plan/requests.ts';
import { json, retryAfterMs, type Api } from './client.ts';
import { RefusedError } from './faults.ts';

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

export interface Outcome {
  readonly status: (typeof outcomes)[number];
  /** The task was created by an earlier run, or by an attempt whose response was lost. */
  readonly replayed: boolean;
  readonly message: string;
}

/**
 * Starts the task of a step, or finds the existing task, and waits for its end.
 * @throws UnreachableError
 */
export async function executeStep(api: Api, request: StepRequest): Promise<Outcome> {
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
