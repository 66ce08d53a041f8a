import type { IntegrationEntry } from '@saleschannel/contracts';
import type { Availability, TransactionOptions } from '@saleschannel/database';
import type { Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import type { Item } from './deliveries.ts';
import type { QueueName, queues } from './topology.ts';

/** An entry that a queue may hold. */
export type EntryOf<Q extends QueueName> = IntegrationEntry<(typeof queues)[Q]['events'][number]>;

export interface ConsumerOptions<Q extends QueueName> {
  broker: Broker;
  queue: Q;
  /** Maximum number of unacknowledged messages (envelopes) of this consumer. */
  prefetch: number;
  /** Maximum number of entries per call of `handle`. */
  maxBatchEntries: number;
  /** Maximum cost per call of `handle`, in the unit of `costOf`. A larger entry is handled alone. No limit if unset. */
  maxBatchCost?: number;
  /** Estimates the cost of an entry, at least 1, for fair scheduling between lanes. 1 if unset. */
  costOf?(event: EntryOf<Q>['event']): number;
  /** Returns the lane of an entry, such as its sales channel. Lanes are scheduled fairly. One lane if unset. */
  laneOf?(event: EntryOf<Q>['event']): string;
  /** Runs a batch in this queue's turn, because the queues of one process share its database connections. */
  runInTurn?<T>(work: () => Promise<T>): Promise<T>;
  /** If set, consumes nothing until it is {@link Consumer.assign assigned}. */
  isUnassigned?: boolean;
  /**
   * Returns the keys of the resources that an entry needs exclusively, such as rows that it locks. Entries that share a
   * key are handled in their order within the lane, even if the first one is deferred. Entries without keys have no
   * order.
   */
  keysOf?(event: EntryOf<Q>['event']): readonly string[];
  /**
   * Handles the entries in one transaction with these options. Must be idempotent. After a batch failed, it is called
   * with one entry at a time.
   */
  handle(entries: EntryOf<Q>[], options: TransactionOptions): Promise<void>;
  /** State of the database that `handle` needs. While it is lost, nothing is consumed. */
  availability: Availability;
  /** Called each time the consumer has become ready. */
  onReady?(): void;
  logger: Logger;
  /** Lock timeout of a batch. */
  lockTimeoutMs?: number;
  /** Interval between renewals of the queue's bindings. Tests shorten it. */
  rebindEveryMs?: number;
  /** How long a batch may continue after its messages were returned. Tests shorten it. */
  maxBatchMs?: number;
}

const SINGLE_LANE = 'all';

/** Returns the keys, the lane and the cost of an entry. */
export function toScheduling<Q extends QueueName>(
  { keysOf, laneOf, costOf }: ConsumerOptions<Q>,
  entry: IntegrationEntry,
): Pick<Item, 'keys' | 'lane' | 'cost'> {
  const event = entry.event as EntryOf<Q>['event'];
  return {
    keys: keysOf?.(event) ?? [],
    lane: laneOf ? laneOf(event) : SINGLE_LANE,
    cost: costOf ? Math.max(1, costOf(event)) : 1,
  };
}
