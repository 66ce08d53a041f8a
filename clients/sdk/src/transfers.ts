import type { Connection } from './connection.ts';
import { isTransient, RequestRefusedError, retryDelayMs, SalesChannelError, TimeoutError } from './errors.ts';
import { pause, retryAfterMs } from './timing.ts';
import type {
  Answer,
  CallOptions,
  InventoryFilter,
  OfframpRequest,
  Plan,
  PlanRequest,
  ProblemError,
  RetirementRequest,
  Task,
  TradeRequest,
} from './types.ts';

/** Kinds of transfers. */
export type TransferKind = 'trade' | 'retirement' | 'offramp';

const readOperations = {
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

interface TaskPath {
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

const startOperations = { trade: 'startTrade', retirement: 'startRetirement', offramp: 'startOfframp' } as const;

interface Requests {
  readonly trade: TradeRequest;
  readonly retirement: RetirementRequest;
  readonly offramp: OfframpRequest;
}

/** Trades, retirements or offramps. */
export class Transfers<Kind extends TransferKind> {
  protected readonly connection: Connection;
  readonly #kind: TransferKind;

  constructor(connection: Connection, kind: Kind) {
    this.connection = connection;
    this.#kind = kind;
  }

  /**
   * Starts a transfer. Pass an `idempotencyKey` that you have stored, if the transfer must not start twice even when
   * your program crashes.
   */
  async start(traderId: string, body: Requests[Kind], options: CallOptions = {}): Promise<TaskHandle> {
    // The body type depends on the kind, which TypeScript cannot correlate here.
    const id = startOperations[this.#kind] as 'startTrade';
    const request = { ...options, path: { traderId }, body: body as TradeRequest };
    const answer = await this.connection.request(id, request).withResponse();
    return new TaskHandle(this.connection, { kind: this.#kind, traderId }, answer);
  }

  /** An existing task. */
  async task(traderId: string, taskId: string, options: CallOptions = {}): Promise<TaskHandle> {
    const request = { ...options, path: { traderId, taskId } };
    const answer = await this.connection.request(readOperations[this.#kind], request).withResponse();
    return new TaskHandle(this.connection, { kind: this.#kind, traderId }, answer);
  }
}

/** The request has no plan: `errors` states why. Nothing was started. */
export class NoPlanError extends SalesChannelError {
  override name = 'NoPlanError';
  readonly errors: readonly ProblemError[];

  constructor({ faults }: Plan, origin: Pick<SalesChannelError, 'requestId' | 'idempotencyKey'>) {
    super(`The transfer has no plan: ${faults.map(({ detail }) => detail).join('; ')}`, origin);
    this.errors = faults;
  }
}

export interface OldestRequest extends Omit<RetirementRequest, 'assets' | 'currency'> {
  /** Stored with the retirement, which has no prices. Default null. */
  readonly currency?: RetirementRequest['currency'];
  /** Number of certificates, taken from the bundles issued first. */
  readonly volume: number;
  /** Limits the bundles. */
  readonly filter?: InventoryFilter;
}

/** Maximum number of plans, because others may move the same bundles meanwhile. */
const PLANS_AT_MOST = 4;

/** Whether the request was refused only for selections that were valid when planned. */
const isOutdated = (error: unknown): boolean =>
  error instanceof RequestRefusedError && error.errors.every(({ pointer }) => pointer?.startsWith('#/assets') === true);

export class Retirements extends Transfers<'retirement'> {
  constructor(connection: Connection) {
    super(connection, 'retirement');
  }

  /**
   * Retires this volume, oldest certificates first. Plans again if the planned bundles have changed. Repeating it with
   * the key of an accepted request starts nothing. Errors of a plan carry the key of the retirement too.
   * @throws NoPlanError if the trader has too few certificates, IdempotencyKeyReusedError if the key belongs to another
   * request
   */
  async retireOldest(
    traderId: string,
    { volume, filter, currency = null, ...retirement }: OldestRequest,
    { idempotencyKey = crypto.randomUUID(), ...options }: CallOptions = {},
  ): Promise<TaskHandle> {
    for (let plans = 1; ; plans += 1) {
      const plan = await planOldest(this.connection, traderId, { volume, filter }, { ...options, idempotencyKey });
      const assets = plan.selections.map(({ start, end }) => ({ start, end }));
      try {
        return await this.start(traderId, { ...retirement, assets, currency }, { ...options, idempotencyKey });
      } catch (error) {
        if (!isOutdated(error) || plans === PLANS_AT_MOST) throw error;
      }
    }
  }
}

/** @throws NoPlanError */
async function planOldest(
  connection: Connection,
  traderId: string,
  { volume, filter }: Pick<OldestRequest, 'volume'> & { readonly filter: InventoryFilter | undefined },
  options: CallOptions,
): Promise<Plan> {
  const body: PlanRequest = { type: 'RETIREMENT', volume, order: 'OLDEST', ...(filter && { filter }) };
  const { data, requestId, idempotencyKey } = await connection
    .request('planTransfer', { ...options, path: { traderId }, body })
    .withResponse();
  if (data.faults.length > 0) throw new NoPlanError(data, { requestId, idempotencyKey });
  return data;
}
