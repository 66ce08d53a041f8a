import { createHash } from 'node:crypto';
import { parseCertificateRef } from '@saleschannel/primitives';
import { z } from 'zod';

/** Refused by the API with 400. */
export class Refusal extends Error {
  readonly type: string;

  constructor(detail: string, type = 'request-refused') {
    super(detail);
    this.type = type;
  }
}

interface Bundle {
  readonly first: bigint;
  readonly last: bigint;
  readonly owner: string;
  readonly state: 'listable' | 'reserved' | 'gone';
}

interface Issuance {
  /** Imported line. */
  readonly content: string;
  readonly width: number;
  bundles: Bundle[];
}

const facilitySchema = z.object({
  type: z.literal('production-facility'),
  code: z.string().regex(/^[A-Z0-9]{6}$/),
  name: z.string(),
  country: z.string().regex(/^[A-Z]{2}$/),
});
const issuanceSchema = z.object({
  type: z.literal('issuance'),
  issuanceId: z.uuid({ version: 'v5' }),
  productionFacilityCode: z.string(),
  firstSerial: z.string(),
  lastSerial: z.string(),
});
const recordSchema = z.discriminatedUnion('type', [facilitySchema, issuanceSchema]);

/** In-memory bundles: owners and states. */
class Certificates {
  readonly issuances = new Map<string, Issuance>();
  readonly facilities = new Map<string, z.output<typeof facilitySchema>>();
  readonly #firstOwner: string;

  /** @param firstOwner trader who owns imported certificates */
  constructor(firstOwner: string) {
    this.#firstOwner = firstOwner;
  }

  /** Imports one line. Returns the reason of a failure, if any. */
  importLine(line: string): { code: string; detail: string } | undefined {
    const parsed = recordSchema.safeParse(JSON.parse(line));
    if (!parsed.success) return { code: 'pattern', detail: z.prettifyError(parsed.error) };
    const record = parsed.data;
    if (record.type === 'production-facility') {
      this.facilities.set(record.code, record);
      return undefined;
    }
    const { issuanceId, productionFacilityCode, firstSerial, lastSerial } = record;
    if (!this.facilities.has(productionFacilityCode))
      return { code: 'unknown-reference', detail: 'There is no production facility with this code.' };
    if (/^0./.test(firstSerial) && firstSerial.length !== lastSerial.length)
      return { code: 'serial-width', detail: 'Unequal widths.' };
    const stored = this.issuances.get(issuanceId);
    if (stored) {
      return stored.content === line
        ? undefined
        : { code: 'contradicts-stored', detail: 'An issuance with this id exists with other content.' };
    }
    const width = firstSerial.length === lastSerial.length ? firstSerial.length : 0;
    const [first, last] = [BigInt(firstSerial), BigInt(lastSerial)];
    const bundles: Bundle[] = [{ first, last, owner: this.#firstOwner, state: 'listable' }];
    this.issuances.set(issuanceId, { content: line, width, bundles });
    return undefined;
  }

  /** Reserves a selection, which must begin where a bundle begins. Returns its volume. */
  reserve(owner: string, start: string, end: string): number {
    const { issuance, serial: first } = this.#find(start);
    const { serial: last } = this.#find(end);
    const bundle = issuance.bundles.find(
      (other) => other.owner === owner && other.state === 'listable' && other.first === first,
    );
    if (!bundle || last > bundle.last || last < first) throw new Refusal(`${start} is not the start of a bundle.`);
    const rest: Bundle[] = last < bundle.last ? [{ ...bundle, first: last + 1n }] : [];
    issuance.bundles = issuance.bundles.flatMap((other): Bundle[] =>
      other === bundle ? [{ ...bundle, last, state: 'reserved' }, ...rest] : [other],
    );
    return Number(last - first + 1n);
  }

  /** Transfers reserved certificates to the new owner, or removes them. */
  settle(start: string, owner: string | undefined): void {
    const { issuance, serial } = this.#find(start);
    issuance.bundles = issuance.bundles.map((bundle): Bundle => {
      if (bundle.first !== serial || bundle.state !== 'reserved') return bundle;
      return owner === undefined ? { ...bundle, state: 'gone' } : { ...bundle, owner, state: 'listable' };
    });
  }

  inventory(owner: string): { issuanceId: string; volume: number }[] {
    return [...this.issuances].flatMap(([issuanceId, { bundles }]) =>
      bundles
        .filter((bundle) => bundle.owner === owner && bundle.state === 'listable')
        .map(({ first, last }) => ({ issuanceId, volume: Number(last - first + 1n) })),
    );
  }

  #find(text: string): { issuance: Issuance; serial: bigint } {
    const { issuanceId, serial } = parseCertificateRef(text) ?? {};
    const issuance = issuanceId === undefined ? undefined : this.issuances.get(issuanceId);
    if (!issuance || serial === undefined || (issuance.width > 0 && serial.length !== issuance.width))
      throw new Refusal(`There is no certificate ${text}.`);
    return { issuance, serial: BigInt(serial) };
  }
}

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
    if (known && known.fingerprint !== fingerprint)
      throw new Refusal('This key was used for another request.', 'idempotency-key-reused');
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
