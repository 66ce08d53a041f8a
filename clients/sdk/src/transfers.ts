import type { Connection } from './connection.ts';
import { RequestRefusedError, SalesChannelError } from './errors.ts';
import { readOperations, TaskHandle, type TransferKind } from './tasks.ts';
import type {
  CallOptions,
  InventoryFilter,
  OfframpRequest,
  Plan,
  PlanRequest,
  ProblemError,
  RetirementRequest,
  TradeRequest,
} from './types.ts';

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
