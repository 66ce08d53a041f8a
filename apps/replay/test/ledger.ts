import { createHash } from 'node:crypto';

/** What the API refuses with 400. */
export class LedgerRefusal extends Error {
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
  readonly content: string;
  readonly width: number;
  bundles: Bundle[];
}

export interface Selection {
  readonly start: string;
  readonly end: string;
  readonly unitPrice?: number;
}

export interface Transaction {
  readonly id: string;
  readonly type: 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
  readonly sellerId: string;
  readonly buyerId: string | null;
  status: string;
  readonly assets: readonly { start: string; end: string; volume: number; unitPrice: number | null }[];
}

export interface Task {
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
  asked: number;
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  trade: ['assets', 'buyerId', 'currency'],
  retire: [
    'assets',
    'beneficiaryLocation',
    'beneficiaryName',
    'consumptionCountryCode',
    'consumptionPeriod',
    'currency',
    'retirementPurpose',
  ],
  offramp: ['assets'],
};
const TYPES = { trade: 'TRADE', retire: 'RETIREMENT', offramp: 'OFFRAMP' } as const;
/** How often a task is PENDING before it is settled. */
const PENDING_ANSWERS = 2;

/** The rules of the API in memory: bundles, selections, tasks, idempotency. */
export class Ledger {
  readonly issuances = new Map<string, Issuance>();
  readonly facilities = new Map<string, unknown>();
  readonly transactions: Transaction[] = [];
  readonly tasks = new Map<string, TaskRecord>();
  readonly #trader: string;

  constructor(trader: string) {
    this.#trader = trader;
  }

  /** One line of an import; returns why it cannot be applied. */
  importLine(line: string): { code: string; detail: string } | undefined {
    const record = JSON.parse(line) as Record<string, string>;
    if (record['type'] === 'production-facility') {
      if (!/^[A-Z0-9]{6}$/.test(record['code'] ?? '') || !/^[A-Z]{2}$/.test(record['country'] ?? ''))
        return { code: 'pattern', detail: 'Not a facility.' };
      this.facilities.set(record['code']!, record);
      return undefined;
    }
    const { issuanceId = '', firstSerial = '', lastSerial = '' } = record;
    if (!this.facilities.has(record['productionFacilityCode']!))
      return { code: 'unknown-reference', detail: 'There is no such facility.' };
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(issuanceId))
      return { code: 'uuid', detail: 'Not a UUID.' };
    if (/^0./.test(firstSerial) && firstSerial.length !== lastSerial.length)
      return { code: 'serial-width', detail: 'Unequal widths.' };
    const stored = this.issuances.get(issuanceId);
    if (stored)
      return stored.content === line
        ? undefined
        : { code: 'contradiction', detail: 'An issuance with this id exists with other content.' };
    const width = firstSerial.length === lastSerial.length ? firstSerial.length : 0;
    const bundles: Bundle[] = [
      { first: BigInt(firstSerial), last: BigInt(lastSerial), owner: this.#trader, state: 'listable' },
    ];
    this.issuances.set(issuanceId, { content: line, width, bundles });
    return undefined;
  }

  /** Starts a task, or finds the one of this key. */
  start(
    operation: 'trade' | 'retire' | 'offramp',
    sellerId: string,
    key: string,
    body: Record<string, unknown>,
  ): { task: Task; isReplay: boolean } {
    if (!/^[\w-]{1,64}$/.test(key)) throw new LedgerRefusal('Malformed key.', 'invalid-request');
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([sellerId, body]))
      .digest('hex');
    const known = this.tasks.get(`${operation} ${key}`);
    if (known && known.fingerprint !== fingerprint)
      throw new LedgerRefusal('This key was used for another request.', 'idempotency-key-reused');
    if (known) return { task: known.task, isReplay: true };
    const members = Object.keys(body).toSorted().join();
    if (members !== MEMBERS[operation]!.join())
      throw new LedgerRefusal(`Unknown or missing members: ${members}`, 'invalid-request');
    const assets = (body['assets'] as Selection[]).map((selection) => this.#reserve(sellerId, selection));
    const buyerId = (body['buyerId'] as string | undefined) ?? null;
    const transaction: Transaction = {
      id: `tx${this.transactions.length}`,
      type: TYPES[operation],
      sellerId,
      buyerId,
      status: 'PENDING',
      assets,
    };
    this.transactions.push(transaction);
    const task: Task = {
      taskId: `task${this.tasks.size}`,
      status: 'PENDING',
      idempotencyKey: key,
      message: 'Waiting.',
      responsePayload: {},
    };
    this.tasks.set(`${operation} ${key}`, { task, fingerprint, transaction, asked: 0 });
    return { task, isReplay: false };
  }

  ask(taskId: string): Task | undefined {
    const record = [...this.tasks.values()].find(({ task }) => task.taskId === taskId);
    if (record && ++record.asked > PENDING_ANSWERS && record.task.status === 'PENDING') this.#settle(record);
    return record?.task;
  }

  inventory(traderId: string): { issuanceId: string; volume: number }[] {
    return [...this.issuances].flatMap(([issuanceId, { bundles }]) =>
      bundles
        .filter(({ owner, state }) => owner === traderId && state === 'listable')
        .map(({ first, last }) => ({ issuanceId, volume: Number(last - first + 1n) })),
    );
  }

  #serial(text: string): { issuance: Issuance; serial: bigint } {
    const cut = text.lastIndexOf('_');
    const issuance = this.issuances.get(text.slice(0, cut));
    const digits = text.slice(cut + 1);
    if (!issuance || (issuance.width > 0 && digits.length !== issuance.width))
      throw new LedgerRefusal(`There is no certificate ${text}.`);
    return { issuance, serial: BigInt(digits) };
  }

  #reserve(sellerId: string, { start, end, unitPrice }: Selection): Transaction['assets'][number] {
    const { issuance, serial: first } = this.#serial(start);
    const { serial: last } = this.#serial(end);
    const bundle = issuance.bundles.find(
      (candidate) => candidate.owner === sellerId && candidate.state === 'listable' && candidate.first === first,
    );
    if (!bundle || last > bundle.last || last < first)
      throw new LedgerRefusal(`${start} is not the start of a bundle.`);
    const rest: Bundle[] = last < bundle.last ? [{ ...bundle, first: last + 1n }] : [];
    issuance.bundles = issuance.bundles.flatMap((other) =>
      other === bundle ? [{ ...bundle, last, state: 'reserved' as const }, ...rest] : [other],
    );
    return { start, end, volume: Number(last - first + 1n), unitPrice: unitPrice ?? null };
  }

  #settle({ task, transaction }: TaskRecord): void {
    for (const { start } of transaction.assets) {
      const { issuance, serial } = this.#serial(start);
      issuance.bundles = issuance.bundles.map((bundle) => {
        if (bundle.first !== serial || bundle.state !== 'reserved') return bundle;
        return transaction.type === 'TRADE'
          ? { ...bundle, owner: transaction.buyerId!, state: 'listable' }
          : { ...bundle, state: 'gone' };
      });
    }
    transaction.status = 'SUCCESS';
    task.status = 'SUCCESS';
    task.message = 'The transaction is complete.';
    task.responsePayload = { id: transaction.id };
  }
}
