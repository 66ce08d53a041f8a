import type { Connection } from './connection.ts';
import { retryDelayMs, isTransient, SalesChannelError, TimeoutError } from './errors.ts';
import { pause, retryAfterMs } from './timing.ts';
import type { Answer, CallOptions, Task } from './types.ts';

/** Kinds of transfers. */
export type TransferKind = 'trade' | 'retirement' | 'offramp';

export const readOperations = {
  trade: 'getTradeTask',
  retirement: 'getRetirementTask',
  offramp: 'getOfframpTask',
} as const;

/** Default timeout for a task. Approvals may take days. */
const WAIT_MS = 15 * 60_000;
/** Default polling interval. */
const DEFAULT_POLL_MS = 1_000;
/** Longest wait that the service supports. */
const PREFERRED_WAIT_SECONDS = 10;
/** Minimum polling interval, even if the service or a proxy returns less. */
const MIN_POLL_MS = 100;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default 15 minutes. */
  readonly timeoutMs?: number | undefined;
}

/** The task ended without SUCCESS, and nothing was moved. `task.message` states the reason. */
export class TaskFailedError extends SalesChannelError {
  override name = 'TaskFailedError';
  readonly task: Task;

  constructor(task: Task, requestId: string) {
    const { idempotencyKey } = task;
    super(`The task ${task.taskId} ended as ${task.status}: ${task.message}`, { requestId, idempotencyKey });
    this.task = task;
  }
}

export interface TaskPath {
  readonly kind: TransferKind;
  readonly traderId: string;
}

/** A started task with its last known state. */
export class TaskHandle {
  readonly kind: TransferKind;
  readonly traderId: string;
  /** Whether an earlier request with the same Idempotency-Key started it. */
  readonly wasReplayed: boolean;
  readonly #connection: Connection;
  #answer: Answer<Task>;

  constructor(connection: Connection, { kind, traderId }: TaskPath, answer: Answer<Task>) {
    this.kind = kind;
    this.traderId = traderId;
    this.wasReplayed = answer.headers.get('Idempotency-Replayed') === 'true';
    this.#connection = connection;
    this.#answer = answer;
  }

  /** Last known state. */
  get task(): Task {
    return this.#answer.data;
  }

  get id(): string {
    return this.task.taskId;
  }

  /** Key of the request that started it. Repeating the request with this key returns this task. */
  get idempotencyKey(): string {
    return this.task.idempotencyKey;
  }

  /** Id of the transaction, once it exists. */
  get transactionId(): string | undefined {
    return this.task.responsePayload.id;
  }

  /** Id of the last request for this task. */
  get requestId(): string {
    return this.#answer.requestId;
  }

  /** Reads the task once. */
  async refresh(options: CallOptions = {}): Promise<Task> {
    const path = { traderId: this.traderId, taskId: this.id };
    this.#answer = await this.#connection.request(readOperations[this.kind], { ...options, path }).withResponse();
    return this.task;
  }

  /**
   * Waits for the end of the task by long polling (`Prefer: wait`), or by polling at the interval that the service
   * returns. Continues after transient failures.
   * @returns the task, ended with SUCCESS
   * @throws TaskFailedError, TimeoutError, or the signal's reason
   */
  async wait({ signal, timeoutMs = WAIT_MS }: WaitOptions = {}): Promise<Task> {
    const until = performance.now() + timeoutMs;
    let pauseMs = 0;
    while (this.task.status === 'PENDING') {
      if (until - performance.now() <= pauseMs) {
        const { requestId, idempotencyKey } = this;
        throw new TimeoutError(`The task ${this.id} is still pending`, { requestId, idempotencyKey });
      }
      await pause(pauseMs, signal);
      const leftMs = Math.max(1, until - performance.now());
      const seconds = Math.min(PREFERRED_WAIT_SECONDS, Math.floor(leftMs / 1_000));
      const headers: Record<string, string> = seconds > 0 ? { Prefer: `wait=${seconds}` } : {};
      try {
        await this.refresh({ signal, timeoutMs: leftMs, headers });
        const hasWaited = this.#answer.headers.has('Preference-Applied');
        pauseMs = hasWaited ? MIN_POLL_MS : this.#pollMs();
      } catch (error) {
        if (!isTransient(error)) throw error;
        pauseMs = Math.max(retryDelayMs(error), this.#pollMs());
      }
    }
    if (this.task.status !== 'SUCCESS') throw new TaskFailedError(this.task, this.requestId);
    return this.task;
  }

  #pollMs(): number {
    const pollMs = retryAfterMs(this.#answer.headers.get('Retry-After'), Date.now()) ?? DEFAULT_POLL_MS;
    return Math.max(pollMs, MIN_POLL_MS);
  }
}
