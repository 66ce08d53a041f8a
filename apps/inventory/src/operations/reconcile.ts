import type { TransactionStatusChanged } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { enqueue } from '@saleschannel/messaging';
import type { Clock } from '@saleschannel/primitives';
import {
  Attempts,
  beyondLedger,
  differencesOf,
  graceOf,
  sizeOf,
  type ChannelRange,
  type Difference,
  type OverdueRange,
} from '../domain/reconciliation.ts';
import type { StatusConsumer } from '../neighbours/consumers.ts';
import {
  ageOfOldest,
  isOutboxStuck,
  readChanges,
  readLastSequences,
  takeReconciliationLock,
} from '../store/status-changes.ts';

export interface ReconciliationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly consumers: readonly StatusConsumer[];
  /** What is younger may be on its way, and is not missing. */
  readonly graceSeconds: number;
}

export interface ReconciliationRequest {
  /** Undefined: all channels. */
  readonly salesChannelId?: string | undefined;
  /** Nothing is published. */
  readonly onlyLook: boolean;
  /** An operator asks: another comparison is waited for, and what was published in vain does not wait for long. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** How far a consumer has come. */
export interface ConsumerState {
  readonly consumer: string;
  /** Why it could not be asked. Then nothing else is known. */
  readonly fault: Error | undefined;
  readonly lagEntries: bigint;
  readonly lagSeconds: number;
  /** How many changes it has applied that the ledger does not know. */
  readonly beyondLedger: bigint;
  readonly republished: number;
  readonly differences: readonly Difference[];
  readonly isComplete: boolean;
}

export interface Reconciliation {
  readonly consumers: readonly ConsumerState[];
  readonly hasMore: boolean;
  /** When a change that a later one has overtaken is to be published. Undefined: none is on its way. */
  readonly dueInSeconds: number | undefined;
}

/** Published again in one transaction at most: ten messages. */
const ENTRIES_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 1_048_576;
/** Ranges that are read at once. What is behind them comes next time. */
const RANGES_AT_ONCE = 5_000;
/** An outbox that does not move is given nothing more. */
const OUTBOX_PATIENCE_SECONDS = 5;
const LEAST_WAIT_MS = 1_000;

/** Compares the ledger with its consumers, and publishes again what one of them lacks. */
export class Reconciler {
  readonly #parts: ReconciliationParts;
  readonly #attempts: ReadonlyMap<string, Attempts>;

  constructor(parts: ReconciliationParts) {
    this.#parts = parts;
    const waitMs = Math.max(parts.graceSeconds * 1_000, LEAST_WAIT_MS);
    this.#attempts = new Map(parts.consumers.map(({ name }) => [name, new Attempts(waitMs)]));
  }

  /**
   * One comparison, and one batch of what is missing at most. A consumer that cannot be asked does not stop the others.
   * One replica at a time publishes, and an operator waits for it. Undefined: another one is at it.
   */
  async run(request: ReconciliationRequest): Promise<Reconciliation | undefined> {
    if (request.onlyLook) return this.#compareAndPublish(request);
    // This transaction only holds the lock. Changes are published in a transaction of their own.
    return this.#parts.database.transaction(async (em) =>
      (await takeReconciliationLock(em, request.isUrgent)) ? this.#compareAndPublish(request) : undefined,
    );
  }

  async #compareAndPublish(request: ReconciliationRequest): Promise<Reconciliation> {
    const compared = await this.#compare(request);
    if (request.onlyLook) return { consumers: compared, hasMore: false, dueInSeconds: undefined };
    const nowMs = this.#parts.clock.now().getTime();
    const due = new Map(
      compared.map(({ consumer, fault, differences }) => {
        const attempts = this.#attempts.get(consumer);
        if (!fault && request.salesChannelId === undefined) attempts?.keepOnly(differences);
        const ranges = differences.flatMap((each) =>
          (attempts?.due(each, nowMs, request.isUrgent) ?? []).map((range): OverdueRange => ({
            ...range,
            olderThanSeconds: graceOf(range, each.highest, this.#parts.graceSeconds),
          })),
        );
        return [consumer, ranges.slice(0, RANGES_AT_ONCE)] as const;
      }),
    );
    const wanted = [...due.values()].flat();
    const changes = await this.#publishAgain(wanted);
    const consumers = compared.map((state): ConsumerState => {
      const given = within(due.get(state.consumer) ?? [], changes);
      const lastOfEach = new Map(given.map(({ salesChannelId, sequence }) => [salesChannelId, BigInt(sequence)]));
      for (const [id, last] of lastOfEach) this.#attempts.get(state.consumer)?.made(id, last, nowMs);
      return { ...state, republished: given.length };
    });
    const hasMore = changes.length > 0;
    return { consumers, hasMore, dueInSeconds: hasMore ? undefined : await this.#dueIn(wanted) };
  }

  /** The consumers are asked before the ledger is read, so that none is beyond it for being quick. */
  async #compare({ salesChannelId, signal }: ReconciliationRequest): Promise<ConsumerState[]> {
    const { consumers, database } = this.#parts;
    const answers = await Promise.allSettled(consumers.map((consumer) => consumer.progress(salesChannelId, signal)));
    const ledger = await readLastSequences(database.em(), salesChannelId);
    const states: ConsumerState[] = [];
    for (const [index, { name }] of consumers.entries()) {
      const answer = answers[index];
      if (answer?.status === 'fulfilled') states.push(await this.#stateOf(name, differencesOf(ledger, answer.value)));
      else states.push(unknownState(name, answer?.reason));
    }
    return states;
  }

  async #stateOf(consumer: string, differences: readonly Difference[]): Promise<ConsumerState> {
    const missing = differences.flatMap((difference) => difference.missing);
    const lagSeconds = await ageOfOldest(this.#parts.database.em(), missing.slice(0, RANGES_AT_ONCE));
    const beyond = differences.reduce((sum, difference) => sum + beyondLedger(difference), 0n);
    return {
      consumer,
      fault: undefined,
      lagEntries: sizeOf(missing),
      lagSeconds,
      beyondLedger: beyond,
      republished: 0,
      differences,
      isComplete: lagSeconds <= this.#parts.graceSeconds && beyond === 0n,
    };
  }

  /** When the oldest change that was overtaken will have waited long enough, if it has not. */
  async #dueIn(ranges: readonly OverdueRange[]): Promise<number | undefined> {
    const overtaken = ranges.filter(({ olderThanSeconds }) => olderThanSeconds < this.#parts.graceSeconds);
    const [first] = overtaken;
    if (!first) return undefined;
    const left = first.olderThanSeconds - (await ageOfOldest(this.#parts.database.em(), overtaken));
    return left > 0 ? left : undefined;
  }

  async #publishAgain(ranges: readonly OverdueRange[]): Promise<PlacedChange[]> {
    const { database } = this.#parts;
    if (ranges.length === 0 || (await isOutboxStuck(database.em(), OUTBOX_PATIENCE_SECONDS))) return [];
    return database.transaction(async (em) => {
      const changes = firstBytesOf(await readChanges(em, ranges, ENTRIES_AT_ONCE));
      enqueue(em, 'inventory.transaction.status-changed.v1', changes);
      return changes;
    });
  }
}

type PlacedChange = TransactionStatusChanged & { readonly sequence: string };

/** Those of the changes that are in one of the ranges. */
function within(ranges: readonly ChannelRange[], changes: readonly PlacedChange[]): PlacedChange[] {
  const byChannel = Map.groupBy(ranges, ({ salesChannelId }) => salesChannelId);
  return changes.filter((change) => {
    const sequence = BigInt(change.sequence);
    const own = byChannel.get(change.salesChannelId) ?? [];
    return own.some(({ first, last }) => first <= sequence && sequence <= last);
  });
}

/** As many as fit into one round, and one at least. */
function firstBytesOf(changes: readonly PlacedChange[]): PlacedChange[] {
  let bytes = 0;
  const end = changes.findIndex((change, index) => {
    bytes += Buffer.byteLength(JSON.stringify(change));
    return bytes > BYTES_AT_ONCE && index > 0;
  });
  return changes.slice(0, end === -1 ? changes.length : end);
}

const unknownState = (consumer: string, reason: unknown): ConsumerState => ({
  consumer,
  fault: reason instanceof Error ? reason : new Error(String(reason)),
  lagEntries: 0n,
  lagSeconds: 0,
  beyondLedger: 0n,
  republished: 0,
  differences: [],
  isComplete: false,
});
