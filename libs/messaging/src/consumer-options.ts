import type { IntegrationEntry } from '@saleschannel/contracts';
import type { Availability, TransactionOptions } from '@saleschannel/database';
import type { Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import type { QueueName, queues } from './topology.ts';

/** An entry that a queue may hold. */
export type EntryOf<Q extends QueueName> = IntegrationEntry<(typeof queues)[Q]['events'][number]>;

export interface ConsumerOptions<Q extends QueueName> {
  broker: Broker;
  queue: Q;
  /** Messages (envelopes) on their way to this consumer at once. */
  prefetch: number;
  /** Entries in one call of `handle` at most. */
  batchEntriesAtMost: number;
  /** Work per call of `handle` at most, in the unit of `costOf`. A larger entry goes alone. No limit if unset. */
  batchCostAtMost?: number;
  /** Estimates the work that an entry takes, at least 1. Lanes take turns by it. 1 if unset. */
  costOf?(event: EntryOf<Q>['event']): number;
  /** Names the owner of an entry, such as its sales channel: lanes take turns. Without it there is one lane. */
  laneOf?(event: EntryOf<Q>['event']): string;
  /** Runs a batch when it is this queue's turn: the queues of one process share its connections. */
  inTurn?<T>(work: () => Promise<T>): Promise<T>;
  /** Consumes nothing before it is {@link Consumer.assign assigned}. */
  isUnassigned?: boolean;
  /**
   * Names what an entry needs for itself, such as the row that it locks. Entries with a key in common are handled in
   * the order in which they came within their lane, also when the first of them has to be put off. Without it they have
   * no order.
   */
  keysOf?(event: EntryOf<Q>['event']): readonly string[];
  /**
   * Handles the entries in one transaction with these options. It may meet an entry twice and must then do nothing. It
   * is called with one entry at a time after a batch failed.
   */
  handle(entries: EntryOf<Q>[], options: TransactionOptions): Promise<void>;
  /** Of the database that `handle` needs. While it is lost, nothing is consumed. */
  availability: Availability;
  /** Called each time the consumer has become ready. */
  becameReady?(): void;
  logger: Logger;
  /** How long a batch waits for a lock that somebody else holds. */
  lockTimeoutMs?: number;
  /** How often it binds its queue again. Tests shorten it. */
  bindAgainMs?: number;
  /** How long a batch may go on after its messages were given back. Tests shorten it. */
  batchEndsWithinMs?: number;
}
