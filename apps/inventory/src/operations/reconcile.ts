import type { TransactionStatusChanged } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import { enqueue } from '@saleschannel/messaging';
import type { Clock } from '@saleschannel/primitives';
import {
  RepublishAttempts,
  countBeyondLedger,
  findDifferences,
  selectGraceSeconds,
  countSequences,
  type ChannelRange,
  type Difference,
  type OverdueRange,
  type Progress,
} from '../domain/reconciliation.ts';
import {
  findOldestAge,
  isOutboxStuck,
  readChanges,
  readLastSequences,
  takeReconciliationLock,
} from '../store/status-changes.ts';

/** A service that applies the ledger's changes of status. */
export interface StatusConsumer {
  readonly name: string;
  /** Progress in all channels that it knows, or in one. */
  readProgress(salesChannelId: string | undefined, signal: AbortSignal): Promise<Map<string, Progress>>;
}

export const createStatusConsumer = (name: string, client: ServiceClient<'ledgerProgress'>): StatusConsumer => ({
  name,
  async readProgress(salesChannelId, signal) {
    const byChannel = new Map<string, Progress>();
    for await (const { channels } of client.GetLedgerProgress({ salesChannelId }, { signal })) {
      for (const { salesChannelId: id, upto, highest, gaps } of channels) {
        const ranges = gaps.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last) }));
        byChannel.set(id, { upto: BigInt(upto), highest: BigInt(highest), gaps: ranges });
      }
    }
    return byChannel;
  },
});

export interface ReconcilerDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly consumers: readonly StatusConsumer[];
  /** Younger changes count as in transit, not as missing. */
  readonly graceSeconds: number;
}

export interface ReconciliationRequest {
  readonly salesChannelId?: string | undefined;
  /** Publishes nothing. */
  readonly onlyLook: boolean;
  /** For an operator: waits for another comparison, and repeats lost changes after the shortest wait. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** Progress of a consumer. */
export interface ConsumerState {
  readonly consumer: string;
  /** Reason why the consumer did not answer. The other members are then unknown. */
  readonly fault: Error | undefined;
  readonly lagEntries: bigint;
  readonly lagSeconds: number;
  /** Changes that it has applied and the ledger does not have. */
  readonly beyondLedger: bigint;
  readonly republished: number;
  readonly differences: readonly Difference[];
  readonly isComplete: boolean;
}

export interface Reconciliation {
  readonly consumers: readonly ConsumerState[];
  readonly hasMore: boolean;
  /** When the next overtaken change is due for republishing. Undefined: none is in transit. */
  readonly dueInSeconds: number | undefined;
}

/** Per transaction: ten messages. */
const MAX_ENTRIES = 1_000;
const MAX_BYTES = 1_048_576;
/** Ranges per run. The next run continues with the others. */
const MAX_RANGES = 5_000;
/** Publishes nothing while the oldest entry of the outbox is older. */
const MAX_OUTBOX_AGE_SECONDS = 5;
const MIN_WAIT_MS = 1_000;

/** Compares the ledger with its consumers, and republishes the changes that a consumer lacks. */
export class Reconciler {
  readonly #parts: ReconcilerDependencies;
  readonly #attempts: ReadonlyMap<string, RepublishAttempts>;

  constructor(parts: ReconcilerDependencies) {
    this.#parts = parts;
    const waitMs = Math.max(parts.graceSeconds * 1_000, MIN_WAIT_MS);
    this.#attempts = new Map(parts.consumers.map(({ name }) => [name, new RepublishAttempts(waitMs)]));
  }

  /**
   * Compares once, and republishes at most one batch. A consumer that does not answer does not affect the others. One
   * replica at a time publishes.
   * @returns undefined if another replica is publishing and the request is not urgent
   */
  async run(request: ReconciliationRequest): Promise<Reconciliation | undefined> {
    if (request.onlyLook) return this.#compareAndPublish(request);
    // This transaction only holds the lock. Another one publishes.
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
        if (!fault && request.salesChannelId === undefined) attempts?.retain(differences);
        const dueRanges = differences.flatMap((each) =>
          (attempts?.selectDue(each, nowMs, request.isUrgent) ?? []).map((range): OverdueRange => ({
            ...range,
            olderThanSeconds: selectGraceSeconds(range, each.highest, this.#parts.graceSeconds),
          })),
        );
        return [consumer, dueRanges.slice(0, MAX_RANGES)] as const;
      }),
    );
    const ranges = [...due.values()].flat();
    const changes = await this.#republish(ranges);
    const consumers = compared.map((state): ConsumerState => {
      const sent = selectWithin(due.get(state.consumer) ?? [], changes);
      const lastByChannel = new Map(sent.map(({ salesChannelId, sequence }) => [salesChannelId, BigInt(sequence)]));
      for (const [id, last] of lastByChannel) this.#attempts.get(state.consumer)?.record(id, last, nowMs);
      return { ...state, republished: sent.length };
    });
    const hasMore = changes.length > 0;
    return { consumers, hasMore, dueInSeconds: hasMore ? undefined : await this.#findDueSeconds(ranges) };
  }

  /** Asks the consumers before reading the ledger, so that a fast consumer does not seem to be ahead. */
  async #compare({ salesChannelId, signal }: ReconciliationRequest): Promise<ConsumerState[]> {
    const { consumers, database } = this.#parts;
    const answers = await Promise.allSettled(
      consumers.map((consumer) => consumer.readProgress(salesChannelId, signal)),
    );
    const ledger = await readLastSequences(database.em(), salesChannelId);
    const states: ConsumerState[] = [];
    for (const [index, { name }] of consumers.entries()) {
      const answer = answers[index];
      if (answer?.status === 'fulfilled') states.push(await this.#toState(name, findDifferences(ledger, answer.value)));
      else states.push(toUnknownState(name, answer?.reason));
    }
    return states;
  }

  async #toState(consumer: string, differences: readonly Difference[]): Promise<ConsumerState> {
    const missing = differences.flatMap((difference) => difference.missing);
    const lagSeconds = await findOldestAge(this.#parts.database.em(), missing.slice(0, MAX_RANGES));
    const beyond = differences.reduce((sum, difference) => sum + countBeyondLedger(difference), 0n);
    return {
      consumer,
      fault: undefined,
      lagEntries: countSequences(missing),
      lagSeconds,
      beyondLedger: beyond,
      republished: 0,
      differences,
      isComplete: lagSeconds <= this.#parts.graceSeconds && beyond === 0n,
    };
  }

  /** Seconds until the oldest overtaken change is due. */
  async #findDueSeconds(ranges: readonly OverdueRange[]): Promise<number | undefined> {
    const overtaken = ranges.filter(({ olderThanSeconds }) => olderThanSeconds < this.#parts.graceSeconds);
    const [first] = overtaken;
    if (!first) return undefined;
    const left = first.olderThanSeconds - (await findOldestAge(this.#parts.database.em(), overtaken));
    return left > 0 ? left : undefined;
  }

  async #republish(ranges: readonly OverdueRange[]): Promise<NumberedChange[]> {
    const { database } = this.#parts;
    if (ranges.length === 0 || (await isOutboxStuck(database.em(), MAX_OUTBOX_AGE_SECONDS))) return [];
    return database.transaction(async (em) => {
      const changes = limitBytes(await readChanges(em, ranges, MAX_ENTRIES));
      enqueue(em, 'inventory.transaction.status-changed.v1', changes);
      return changes;
    });
  }
}

type NumberedChange = TransactionStatusChanged & { readonly sequence: string };

/** Selects the changes within the ranges. */
function selectWithin(ranges: readonly ChannelRange[], changes: readonly NumberedChange[]): NumberedChange[] {
  const byChannel = Map.groupBy(ranges, ({ salesChannelId }) => salesChannelId);
  return changes.filter((change) => {
    const sequence = BigInt(change.sequence);
    const channelRanges = byChannel.get(change.salesChannelId) ?? [];
    return channelRanges.some(({ first, last }) => first <= sequence && sequence <= last);
  });
}

/** Selects as many changes as fit into one run, at least one. */
function limitBytes(changes: readonly NumberedChange[]): NumberedChange[] {
  let bytes = 0;
  const end = changes.findIndex((change, index) => {
    bytes += Buffer.byteLength(JSON.stringify(change));
    return bytes > MAX_BYTES && index > 0;
  });
  return changes.slice(0, end === -1 ? changes.length : end);
}

const toUnknownState = (consumer: string, reason: unknown): ConsumerState => ({
  consumer,
  fault: reason instanceof Error ? reason : new Error(String(reason)),
  lagEntries: 0n,
  lagSeconds: 0,
  beyondLedger: 0n,
  republished: 0,
  differences: [],
  isComplete: false,
});
