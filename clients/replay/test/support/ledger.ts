import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Certificates, Refusal } from './certificates.ts';

interface Transaction {
  readonly id: string;
  readonly type: 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
  readonly sellerId: string;
  readonly buyerId: string | null;
  status: string;
  readonly assets: readonly { start: string; end: string; volume: number; unitPrice: number | null }[];
}

interface Task {
  readonly taskId: string;
  status: string;
  readonly idempotencyKey: string;
  message: string;
  responsePayload: { id?: string };
}

interface TaskRecord {
  readonly task: Task;
  readonly fingerprint: string;
  readonly transaction: Transaction;
  polls: number;
}

const selection = z.strictObject({ start: z.string(), end: z.string() });
const period = z.strictObject({ start: z.string(), end: z.string() });
/** Request schemas of the API, strict. */
const requests = {
  trade: z.strictObject({
    assets: z.array(selection.extend({ unitPrice: z.number() })),
    buyerId: z.string(),
    currency: z.literal('EUR'),
  }),
  retire: z.strictObject({
    assets: z.array(selection),
    beneficiaryName: z.string(),
    beneficiaryLocation: z.string(),
    consumptionCountryCode: z.string().regex(/^[A-Z]{2}$/),
    consumptionPeriod: period,
    retirementPurpose: z.string(),
    currency: z.null(),
  }),
  offramp: z.strictObject({ assets: z.array(selection) }),
};
/** Members common to all requests. */
const requestSchema = z.object({
  assets: z.array(selection.extend({ unitPrice: z.number().nullable().default(null) })),
  buyerId: z.string().nullable().default(null),
});
const types = { trade: 'TRADE', retire: 'RETIREMENT', offramp: 'OFFRAMP' } as const;

export const operations = ['trade', 'retire', 'offramp'] as const;
export type Operation = (typeof operations)[number];

/** Polls with PENDING before the transfer is settled. */
const PENDING_ANSWERS = 2;

/** In-memory rules of the API: bundles, selections, tasks, idempotency. */
export class Ledger {
  readonly certificates: Certificates;
  readonly transactions: Transaction[] = [];
  readonly #tasks = new Map<string, TaskRecord>();

  /** @param traderId owner of imported certificates */
  constructor(traderId: string) {
    this.certificates = new Certificates(traderId);
  }

  /** Starts a task, or finds the task with this key. */
  start(operation: Operation, sellerId: string, key: string, body: unknown): { task: Task; isReplay: boolean } {
    if (!/^[\w-]{1,64}$/.test(key)) throw new Refusal('Malformed key.', 'invalid-request');
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([sellerId, body]))
      .digest('hex');
    const known = this.#tasks.get(`${operation} ${key}`);
    if (known && known.fingerprint !== fingerprint) {
      throw new Refusal('This key was used for another request.', 'idempotency-key-reused');
    }
    if (known) return { task: known.task, isReplay: true };
    const transaction = this.#request(operation, sellerId, body);
    const taskId = `task${this.#tasks.size}`;
    const task: Task = { taskId, status: 'PENDING', idempotencyKey: key, message: 'Waiting.', responsePayload: {} };
    this.#tasks.set(`${operation} ${key}`, { task, fingerprint, transaction, polls: 0 });
    return { task, isReplay: false };
  }

  pollTask(taskId: string): Task | undefined {
    const record = [...this.#tasks.values()].find(({ task }) => task.taskId === taskId);
    if (record && ++record.polls > PENDING_ANSWERS && record.task.status === 'PENDING') this.#settle(record);
    return record?.task;
  }

  #request(operation: Operation, sellerId: string, body: unknown): Transaction {
    const parsed = requests[operation].safeParse(body);
    if (!parsed.success) throw new Refusal(z.prettifyError(parsed.error), 'invalid-request');
    const { assets, buyerId } = requestSchema.parse(parsed.data);
    const transaction: Transaction = {
      id: `tx${this.transactions.length}`,
      type: types[operation],
      sellerId,
      buyerId,
      status: 'PENDING',
      assets: assets.map((asset) => ({
        ...asset,
        volume: this.certificates.reserve(sellerId, asset.start, asset.end),
      })),
    };
    this.transactions.push(transaction);
    return transaction;
  }

  #settle({ task, transaction }: TaskRecord): void {
    for (const { start } of transaction.assets) this.certificates.settle(start, transaction.buyerId ?? undefined);
    transaction.status = 'SUCCESS';
    task.status = 'SUCCESS';
    task.message = 'The transaction is complete.';
    task.responsePayload = { id: transaction.id };
  }
}
