import type { Connection } from './connection.ts';
import { askedPauseMs, isPassing, SalesChannelError, TimeoutError } from './errors.ts';
import { pause, retryAfterMs } from './timing.ts';
import type { Answer, CallOptions, Task } from './types.ts';

/** What moves certificates. */
export type TransferKind = 'trade' | 'retirement' | 'offramp';

export const readOf = { trade: 'getTradeTask', retirement: 'getRetirementTask', offramp: 'getOfframpTask' } as const;

/** How long to wait for a task when the caller does not say. An approval may take days. */
const WAIT_MS = 15 * 60_000;
/** When the service does not say when to ask again. */
const ASK_AGAIN_MS = 1_000;
/** The longest that the service waits. */
const PREFERRED_WAIT_SECONDS = 10;
/** Whatever the service says, and whatever is in between. */
const ASK_AGAIN_AT_THE_EARLIEST_MS = 100;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** 15 minutes when left out. */
  readonly timeoutMs?: number | undefined;
}

/** The task ended, and not with SUCCESS: nothing was moved. `task.message` says why. */
export class TaskFailedError extends SalesChannelError {
  override name = 'TaskFailedError';
  readonly task: Task;

  constructor(task: Task, requestId: string) {
    const { idempotencyKey } = task;
    super(`The task ${task.taskId} ended as ${task.status}: ${task.message}`, { requestId, idempotencyKey });
    this.task = task;
  }
}

export interface TaskPlace {
  readonly kind: TransferKind;
  readonly traderId: string;
}

/** A task that was started, and how it stands. */
export class TaskHandle {
  readonly kind: TransferKind;
  readonly traderId: string;
  /** Whether an earlier request with the same Idempotency-Key had started it. */
  readonly wasReplayed: boolean;
  readonly #connection: Connection;
  #answer: Answer<Task>;

  constructor(connection: Connection, { kind, traderId }: TaskPlace, answer: Answer<Task>) {
    this.kind = kind;
    this.traderId = traderId;
    this.wasReplayed = answer.headers.get('Idempotency-Replayed') === 'true';
    this.#connection = connection;
    this.#answer = answer;
  }

  /** The task as it was seen last. */
  get task(): Task {
    return this.#answer.data;
  }

  get id(): string {
    return this.task.taskId;
  }

  /** The key of the request that started it. The same request with it gets this task. */
  get idempotencyKey(): string {
    return this.task.idempotencyKey;
  }

  /** The transaction, as soon as there is one. */
  get transactionId(): string | undefined {
    return this.task.responsePayload.id;
  }

  /** Of the request that the task was seen by last. */
  get requestId(): string {
    return this.#answer.requestId;
  }

  /** Looks once. */
  async refresh(options: CallOptions = {}): Promise<Task> {
    const path = { traderId: this.traderId, taskId: this.id };
    this.#answer = await this.#connection.request(readOf[this.kind], { ...options, path }).withResponse();
    return this.task;
  }

  /**
   * Waits for the end of the task. The service waits with it (`Prefer: wait`). One that does not is asked as often as
   * it says. It goes on where the service cannot be reached for a while.
   * @returns the task, which ended with SUCCESS
   * @throws TaskFailedError when it ended otherwise, TimeoutError, or the reason of the signal
   */
  async wait({ signal, timeoutMs = WAIT_MS }: WaitOptions = {}): Promise<Task> {
    const until = performance.now() + timeoutMs;
    let pauseMs = 0;
    while (this.task.status === 'PENDING') {
      if (until - performance.now() <= pauseMs) {
        const { requestId, idempotencyKey } = this;
        throw new TimeoutError(`The task ${this.id} is still waiting`, { requestId, idempotencyKey });
      }
      await pause(pauseMs, signal);
      const leftMs = Math.max(1, until - performance.now());
      const seconds = Math.min(PREFERRED_WAIT_SECONDS, Math.floor(leftMs / 1_000));
      const headers: Record<string, string> = seconds > 0 ? { Prefer: `wait=${seconds}` } : {};
      try {
        await this.refresh({ signal, timeoutMs: leftMs, headers });
        const hasWaited = this.#answer.headers.has('Preference-Applied');
        pauseMs = hasWaited ? ASK_AGAIN_AT_THE_EARLIEST_MS : this.#pollMs();
      } catch (error) {
        if (!isPassing(error)) throw error;
        pauseMs = Math.max(askedPauseMs(error), this.#pollMs());
      }
    }
    if (this.task.status !== 'SUCCESS') throw new TaskFailedError(this.task, this.requestId);
    return this.task;
  }

  #pollMs(): number {
    const saidMs = retryAfterMs(this.#answer.headers.get('Retry-After'), Date.now()) ?? ASK_AGAIN_MS;
    return Math.max(saidMs, ASK_AGAIN_AT_THE_EARLIEST_MS);
  }
}
