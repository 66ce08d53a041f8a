import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { isContended, isTransient } from '@saleschannel/database';
import { attemptBatch, RETRY_MS, type AttemptOptions } from './attempt.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions, EntryOf } from './consumer-options.ts';
import { putDeadLetter } from './dead-letters.ts';
import type { Delivery, Item, OpenDeliveries } from './deliveries.ts';
import { toBody } from './envelope.ts';
import { DeferredEntries } from './schedule.ts';
import { brokerNames, type QueueName } from './topology.ts';
import { WaitingQueue } from './waiting-queue.ts';

const ATTEMPTS_PER_ENTRY = 3;
/** Shorter than the lock timeout of RPCs: while a batch waits for a lock, everything behind it waits too. */
const LOCK_TIMEOUT_MS = 3_000;
/** Lock timeout while entries are deferred. More entries may need the same lock, and each would delay the others. */
const NEXT_LOCK_TIMEOUT_MS = 250;

interface WorkOptions<Q extends QueueName> {
  readonly consumer: ConsumerOptions<Q>;
  readonly metrics: ConsumerMetrics;
  readonly open: OpenDeliveries;
  /** Whether the consumer still uses this channel. */
  isCurrent(channel: ConfirmChannel): boolean;
  /** Whether the consumer finishes the current work and begins no more. */
  isEnding(): boolean;
}

/** Handles batches of a consumer until each entry is done, a dead letter, or deferred. */
export class BatchHandler<Q extends QueueName> {
  readonly deferred = new DeferredEntries(() => performance.now());
  readonly #work: WorkOptions<Q>;
  readonly #name: ReturnType<typeof brokerNames>;
  readonly #queue: string;
  readonly #overflow: WaitingQueue;

  constructor(work: WorkOptions<Q>) {
    this.#work = work;
    const { broker, queue } = work.consumer;
    this.#name = brokerNames(broker.namespace);
    this.#queue = this.#name.queue(queue);
    this.#overflow = new WaitingQueue(broker, queue, 'put-off');
  }

  /**
   * Handles one message, and waits until the broker has processed its acknowledgement, because the next message may
   * crash the process.
   */
  async handleAlone(channel: ConfirmChannel, delivery: Delivery): Promise<void> {
    if (delivery.pending === 0) await this.finish(channel, delivery);
    await this.handleBatch(channel, delivery.items);
    // Acknowledgements have no reply. The broker answers this request after it has processed them.
    await channel.checkQueue(this.#queue).catch(() => undefined);
  }

  async handleBatch(channel: ConfirmChannel, batch: readonly Item[]): Promise<void> {
    const unblocked: Item[] = [];
    for (const item of batch) {
      if (this.deferred.blocks(item)) await this.#postpone(channel, item);
      else unblocked.push(item);
    }
    if (unblocked.length > 1) {
      const error = await this.#attempt(channel, unblocked);
      if (error === undefined) return this.#end(channel, unblocked);
      if (this.#isOver(channel, error)) return;
      this.#work.consumer.logger.warn(
        { err: error, queue: this.#queue, entries: unblocked.length },
        'a batch failed; trying its entries one by one',
      );
    }
    for (const item of unblocked) {
      if (!this.#work.isCurrent(channel) || this.#work.isEnding()) return;
      if (this.deferred.blocks(item)) await this.#postpone(channel, item);
      else await this.handleOne(channel, item);
    }
  }

  get #lockTimeoutMs(): number {
    const { lockTimeoutMs = LOCK_TIMEOUT_MS } = this.#work.consumer;
    return this.deferred.isEmpty ? lockTimeoutMs : Math.min(lockTimeoutMs, NEXT_LOCK_TIMEOUT_MS);
  }

  /** Handles one entry, makes it a dead letter, or defers it. */
  async handleOne(channel: ConfirmChannel, item: Item): Promise<void> {
    const { entry } = item;
    for (let count = 1; ; count++) {
      const error = await this.#attempt(channel, [item]);
      if (error === undefined) return this.#end(channel, [item]);
      if (this.#isOver(channel, error)) return;
      if (isContended(error)) return this.#postpone(channel, item, error);
      if (count < ATTEMPTS_PER_ENTRY) {
        await delay(RETRY_MS * count);
        continue;
      }
      // The entry names beneficiaries, so it is not logged. Operators with the right to see them list the dead letters.
      this.#work.consumer.logger.error(
        { err: error, queue: this.#queue, type: entry.type },
        'cannot handle an entry; it becomes a dead letter',
      );
      const reason = error instanceof Error ? error.message : String(error);
      const letter = toBody([entry.event]);
      const { message } = item.delivery;
      if (await this.#deadLetter(channel, message, letter, entry.type, reason)) await this.#end(channel, [item]);
      return;
    }
  }

  /**
   * Defers an entry. It waits in memory, or in a waiting queue of the broker if deferred entries already use half of
   * the consumer's prefetch.
   */
  async #postpone(channel: ConfirmChannel, item: Item, error?: unknown): Promise<void> {
    if (this.deferred.has(item)) return this.deferred.postpone(item);
    if (error !== undefined) {
      const reason = (error as Error).message;
      this.#work.consumer.logger.warn(
        { queue: this.#queue, keys: item.keys },
        `an entry is deferred because of a conflict: ${reason}`,
      );
    }
    for (const counter of [this.#work.metrics.deferred, this.#work.metrics.putOff])
      counter.add(1, { queue: this.#queue });
    if (this.deferred.deliveries < this.#work.consumer.prefetch / 2) return this.deferred.add(item);
    const { type, event } = item.entry;
    try {
      await this.#overflow.put(channel, { content: toBody([event]), type, inPlaceOf: item.delivery.message });
      await this.#end(channel, [item]);
    } catch (cause) {
      this.#work.consumer.logger.warn({ err: cause, queue: this.#queue }, 'cannot put an entry into its waiting queue');
      if (this.#work.isCurrent(channel)) this.deferred.add(item);
    }
  }

  /** Marks entries as done, and acknowledges messages without entries left. */
  async #end(channel: ConfirmChannel, items: readonly Item[]): Promise<void> {
    for (const item of items) {
      this.deferred.remove(item);
      item.delivery.pending--;
      if (item.delivery.pending === 0) await this.finish(channel, item.delivery);
    }
  }

  /** Acknowledges a message, after its unreadable entries have become dead letters. */
  async finish(channel: ConfirmChannel, delivery: Delivery): Promise<void> {
    const { message, unreadable } = delivery;
    for (const content of unreadable) {
      const type = String(message.properties.type);
      if (!(await this.#deadLetter(channel, message, content, type, 'the message cannot be read'))) return;
    }
    if (!this.#work.isCurrent(channel)) return;
    channel.ack(message);
    this.#work.open.remove(delivery);
  }

  #attempt(channel: ConfirmChannel, items: readonly Item[]): Promise<unknown> {
    const lockTimeoutMs = this.#lockTimeoutMs;
    const work: AttemptOptions = {
      queue: this.#work.consumer.queue,
      queueName: this.#queue,
      metrics: this.#work.metrics,
      logger: this.#work.consumer.logger,
      handle: (entries) => this.#work.consumer.handle(entries as EntryOf<Q>[], { lockTimeoutMs }),
      mayWait: () => this.#work.isCurrent(channel) && !this.#work.isEnding(),
    };
    return attemptBatch(
      work,
      items.map(({ entry }) => entry),
    );
  }

  /** Whether the broker will redeliver the messages: the channel is closed, or the consumer ends during an outage. */
  #isOver(channel: ConfirmChannel, error: unknown): boolean {
    return !this.#work.isCurrent(channel) || (this.#work.isEnding() && isTransient(error));
  }

  /** Returns false if the channel closes or the consumer ends before the broker has confirmed the dead letter. */
  async #deadLetter(
    channel: ConfirmChannel,
    inPlaceOf: ConsumeMessage,
    content: Buffer,
    type: string,
    reason: string,
  ): Promise<boolean> {
    const letter = { content, type, reason, queue: this.#queue, inPlaceOf };
    const isPut = await putDeadLetter(channel, this.#name.deadLetterExchange, letter, {
      logger: this.#work.consumer.logger,
      isOpen: () => this.#work.isCurrent(channel),
      mayWait: () => !this.#work.isEnding(),
    });
    if (isPut) this.#work.metrics.deadLettered.add(1, { queue: this.#queue });
    return isPut;
  }
}
