import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { isContended, isTransient } from '@saleschannel/database';
import { attempt, RETRY_MS, type Attempt } from './attempt.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions, EntryOf } from './consumer-options.ts';
import { putDeadLetter } from './dead-letter-writer.ts';
import type { Delivery, Item } from './delivery.ts';
import { bodyOf } from './envelope.ts';
import type { OpenDeliveries } from './open-deliveries.ts';
import { PutOff } from './put-off.ts';
import { names, type QueueName } from './topology.ts';
import { WaitingQueue } from './waiting-queue.ts';

const ATTEMPTS_PER_ENTRY = 3;
/** While a batch waits for a lock, everything behind it waits too. So it waits less than others do. */
const LOCK_TIMEOUT_MS = 3_000;
/** Once somebody is known to be in the way, more entries may meet the same one, and each would delay the others. */
const LOCK_TIMEOUT_AGAIN_MS = 250;

interface WorkOptions<Q extends QueueName> {
  readonly consumer: ConsumerOptions<Q>;
  readonly metrics: ConsumerMetrics;
  readonly open: OpenDeliveries;
  /** Whether what was delivered on the channel is still this consumer's. */
  isCurrent(channel: ConfirmChannel): boolean;
  /** Whether what is under way is the last. */
  isEnding(): boolean;
}

/** Handles batches of a consumer until each entry is done, a dead letter, or put off. */
export class BatchWork<Q extends QueueName> {
  readonly putOff = new PutOff(() => performance.now());
  readonly #work: WorkOptions<Q>;
  readonly #name: ReturnType<typeof names>;
  /** The name of the queue on the broker. */
  readonly #queue: string;
  readonly #overflow: WaitingQueue;

  constructor(work: WorkOptions<Q>) {
    this.#work = work;
    const { broker, queue } = work.consumer;
    this.#name = names(broker.namespace);
    this.#queue = this.#name.queue(queue);
    this.#overflow = new WaitingQueue(broker, queue, 'put-off');
  }

  /** Handles one message, and makes sure that the broker knows of its end before the next one may end the process. */
  async handleAlone(channel: ConfirmChannel, delivery: Delivery): Promise<void> {
    if (delivery.left === 0) await this.finish(channel, delivery);
    await this.handleBatch(channel, delivery.items);
    // An acknowledgement is sent and forgotten. This is answered after those before it were carried out.
    await channel.checkQueue(this.#queue).catch(() => undefined);
  }

  async handleBatch(channel: ConfirmChannel, batch: readonly Item[]): Promise<void> {
    const free: Item[] = [];
    for (const item of batch) {
      if (this.putOff.isBefore(item)) await this.#postpone(channel, item);
      else free.push(item);
    }
    if (free.length > 1) {
      const fault = await this.#attempt(channel, free);
      if (fault === undefined) return this.#end(channel, free);
      if (this.#isOver(channel, fault)) return;
      this.#work.consumer.logger.warn(
        { err: fault, queue: this.#queue, entries: free.length },
        'a batch failed; trying its entries one by one',
      );
    }
    for (const item of free) {
      if (!this.#work.isCurrent(channel) || this.#work.isEnding()) return;
      if (this.putOff.isBefore(item)) await this.#postpone(channel, item);
      else await this.handleOne(channel, item);
    }
  }

  get #lockTimeoutMs(): number {
    const { lockTimeoutMs = LOCK_TIMEOUT_MS } = this.#work.consumer;
    return this.putOff.isEmpty ? lockTimeoutMs : Math.min(lockTimeoutMs, LOCK_TIMEOUT_AGAIN_MS);
  }

  /** Handles one entry, makes it a dead letter, or puts it off. */
  async handleOne(channel: ConfirmChannel, item: Item): Promise<void> {
    const { entry } = item;
    for (let count = 1; ; count++) {
      const fault = await this.#attempt(channel, [item]);
      if (fault === undefined) return this.#end(channel, [item]);
      if (this.#isOver(channel, fault)) return;
      if (isContended(fault)) return this.#postpone(channel, item, fault);
      if (count < ATTEMPTS_PER_ENTRY) {
        await delay(RETRY_MS * count);
        continue;
      }
      // Not the entry itself: it holds names of beneficiaries. Whoever may see them lists the dead letters.
      this.#work.consumer.logger.error(
        { err: fault, queue: this.#queue, type: entry.type },
        'an entry cannot be handled and becomes a dead letter',
      );
      const reason = fault instanceof Error ? fault.message : String(fault);
      const letter = bodyOf([entry.event]);
      const { message } = item.delivery;
      if (await this.#deadLetter(channel, message, letter, entry.type, reason)) await this.#end(channel, [item]);
      return;
    }
  }

  /**
   * Makes an entry wait, here as long as there is room. One that finds no room waits in a queue of the broker and comes
   * back by itself, or those that wait would be all that this consumer may hold.
   */
  async #postpone(channel: ConfirmChannel, item: Item, fault?: unknown): Promise<void> {
    if (this.putOff.has(item)) return this.putOff.postpone(item);
    if (fault !== undefined) {
      const reason = (fault as Error).message;
      this.#work.consumer.logger.warn(
        { queue: this.#queue, keys: item.keys },
        `somebody is in the way of an entry: ${reason}`,
      );
    }
    this.#work.metrics.delayed.add(1, { queue: this.#queue });
    if (this.putOff.deliveries < this.#work.consumer.prefetch / 2) return this.putOff.add(item);
    const { type, event } = item.entry;
    try {
      await this.#overflow.put(channel, { content: bodyOf([event]), type, inPlaceOf: item.delivery.message });
      await this.#end(channel, [item]);
    } catch (error) {
      this.#work.consumer.logger.warn(
        { err: error, queue: this.#queue },
        'an entry cannot be put into its waiting queue',
      );
      if (this.#work.isCurrent(channel)) this.putOff.add(item);
    }
  }

  /** These entries are done. Acknowledges the messages of which nothing is left. */
  async #end(channel: ConfirmChannel, items: readonly Item[]): Promise<void> {
    for (const item of items) {
      this.putOff.remove(item);
      item.delivery.left--;
      if (item.delivery.left === 0) await this.finish(channel, item.delivery);
    }
  }

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
    const work: Attempt = {
      queue: this.#work.consumer.queue,
      queueName: this.#queue,
      metrics: this.#work.metrics,
      logger: this.#work.consumer.logger,
      handle: (entries) => this.#work.consumer.handle(entries as EntryOf<Q>[], { lockTimeoutMs }),
      mayWait: () => this.#work.isCurrent(channel) && !this.#work.isEnding(),
    };
    return attempt(
      work,
      items.map(({ entry }) => entry),
    );
  }

  /** True when the messages will be delivered again, for no fault of their own. */
  #isOver(channel: ConfirmChannel, fault: unknown): boolean {
    return !this.#work.isCurrent(channel) || (this.#work.isEnding() && isTransient(fault));
  }

  /** False when the channel is gone or the consumer ends before the broker has the dead letter. */
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
