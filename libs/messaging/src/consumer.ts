import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { IntegrationEntry } from '@saleschannel/contracts';
import { isDatabaseUnreachable } from '@saleschannel/database';
import { meter, type Counter, type Logger, type ObservableResult, type Part } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { publishConfirmed } from './confirmed.ts';
import { DEAD_LETTER_REASON } from './dead-letters.ts';
import { bodyOf, readEnvelope, type Envelope } from './envelope.ts';
import { declareQueue, names, queues, type QueueName } from './topology.ts';
import { inSpans } from './tracing.ts';
import { UnknownMessages } from './unknown-messages.ts';

/** An entry that a queue may hold. */
export type EntryOf<Q extends QueueName> = IntegrationEntry<(typeof queues)[Q]['events'][number]>;

export interface ConsumerOptions<Q extends QueueName> {
  broker: Broker;
  queue: Q;
  /** Messages (envelopes) on their way to this consumer at once. */
  prefetch: number;
  /** Entries in one call of `handle` at most, unless a single message holds more. */
  batchEntriesAtMost: number;
  /**
   * Handles the entries in one transaction. It may meet an entry twice and must then do nothing. It is called with one
   * entry at a time after a batch failed. Throwing 'unavailable' holds everything until the database is back.
   */
  handle(entries: EntryOf<Q>[]): Promise<void>;
  logger: Logger;
}

const ATTEMPTS_PER_ENTRY = 3;
const RETRY_MS = 200;
const RETRY_AT_MOST_MS = 5_000;
const REASON_CHARACTERS_AT_MOST = 500;

interface Delivery {
  readonly message: ConsumeMessage;
  readonly envelope: Extract<Envelope, { kind: 'known' }>;
}

/**
 * Reads a queue in micro-batches: whatever waits is handled in one transaction and acknowledged after it. An entry that
 * cannot be read, or that fails on its own again and again, goes to the dead letters with the reason, and the others go
 * on. While the database cannot be reached nothing is lost, requeued or counted. A message of an unknown type is left
 * to others. It is written by hand because libraries for RabbitMQ acknowledge message by message and count an outage as
 * a failure.
 */
export class Consumer<Q extends QueueName> implements Part {
  readonly #options: ConsumerOptions<Q>;
  readonly #name: ReturnType<typeof names>;
  /** The name of the queue on the broker. */
  readonly #queue: string;
  readonly #logger: Logger;
  readonly #unknown: UnknownMessages;
  readonly #handled: Counter;
  readonly #deadLettered: Counter;
  readonly #depth = meter().createObservableGauge('queue_depth', { description: 'Messages that wait in a queue' });
  #channel: ConfirmChannel | undefined;
  #consumerTag: string | undefined;
  #waiting: Delivery[] = [];
  #pumping: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: ConsumerOptions<Q>) {
    this.#options = options;
    this.#logger = options.logger;
    this.#name = names(options.broker.namespace);
    this.#queue = this.#name.queue(options.queue);
    this.#unknown = new UnknownMessages({
      namespace: options.broker.namespace,
      queue: options.queue,
      logger: options.logger,
    });
    this.#handled = meter().createCounter('messages_handled_total', { description: 'Entries handled' });
    this.#deadLettered = meter().createCounter('messages_dead_lettered_total', {
      description: 'Entries put among the dead letters',
    });
    options.broker.use((channel) => this.#attach(channel));
  }

  start(): Promise<void> {
    this.#depth.addCallback(this.#observeDepth);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#depth.removeCallback(this.#observeDepth);
    if (this.#channel && this.#consumerTag) await this.#channel.cancel(this.#consumerTag).catch(() => undefined);
    this.#waiting = [];
    await this.#pumping;
  }

  readonly #observeDepth = async (result: ObservableResult): Promise<void> => {
    for (const queue of [this.#queue, this.#name.deadLetterQueue(this.#options.queue)]) {
      const state = await this.#channel?.checkQueue(queue).catch(() => undefined);
      if (state) result.observe(state.messageCount, { queue });
    }
  };

  async #attach(channel: ConfirmChannel): Promise<void> {
    this.#channel = channel;
    this.#waiting = [];
    channel.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined;
    });
    await declareQueue(channel, this.#options.broker.namespace, this.#options.queue);
    await channel.prefetch(this.#options.prefetch);
    if (this.#isStopping) return;
    const consumed = await channel.consume(this.#queue, (message) => {
      if (message) this.#receive(channel, message);
      // The queue was deleted. A new channel declares it again.
      else void channel.close().catch(() => undefined);
    });
    this.#consumerTag = consumed.consumerTag;
  }

  #receive(channel: ConfirmChannel, message: ConsumeMessage): void {
    const envelope = readEnvelope(message.properties.type, message.content, queues[this.#options.queue].events);
    if (envelope.kind === 'unknown-type') {
      this.#unknown.leaveAlone(channel, message, envelope.type);
      return;
    }
    this.#waiting.push({ message, envelope });
    this.#pumping ??= this.#pump()
      .catch((error: unknown) => this.#logger.error({ err: error, queue: this.#queue }, 'the consumer failed'))
      .finally(() => (this.#pumping = undefined));
  }

  async #pump(): Promise<void> {
    // Lets every delivery of the same read from the socket join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0 && this.#channel && !this.#isStopping) {
      const channel = this.#channel;
      const batch = this.#takeBatch();
      const isDone = await this.#handleBatch(channel, batch);
      // What is not acknowledged comes again, on the next channel or to the next consumer.
      if (isDone && channel === this.#channel) for (const { message } of batch) channel.ack(message);
    }
  }

  #takeBatch(): Delivery[] {
    let size = 0;
    const end = this.#waiting.findIndex(({ envelope }, index) => {
      size += envelope.entries.length;
      return size > this.#options.batchEntriesAtMost && index > 0;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  /**
   * True when every entry was handled or is a dead letter. False when the channel is gone or the consumer stops before.
   */
  async #handleBatch(channel: ConfirmChannel, batch: Delivery[]): Promise<boolean> {
    const entries = batch.flatMap(({ envelope }) => envelope.entries);
    if (entries.length > 0 && !(await this.#handleEntries(channel, entries))) return false;
    for (const { message, envelope } of batch) {
      for (const content of envelope.unreadable) {
        const type = String(message.properties.type);
        if (!(await this.#deadLetter(channel, content, type, 'the message cannot be read'))) return false;
      }
    }
    return true;
  }

  async #handleEntries(channel: ConfirmChannel, entries: IntegrationEntry[]): Promise<boolean> {
    const [first] = entries;
    if (entries.length === 1 && first) return this.#handleOne(channel, first);
    const fault = await this.#attempt(channel, entries);
    if (fault === undefined) return true;
    if (this.#isOver(channel, fault)) return false;
    this.#logger.warn(
      { err: fault, queue: this.#queue, entries: entries.length },
      'a batch failed; trying its entries one by one',
    );
    for (const entry of entries) if (!(await this.#handleOne(channel, entry))) return false;
    return true;
  }

  async #handleOne(channel: ConfirmChannel, entry: IntegrationEntry): Promise<boolean> {
    for (let count = 1; ; count++) {
      const fault = await this.#attempt(channel, [entry]);
      if (fault === undefined) return true;
      if (this.#isOver(channel, fault)) return false;
      if (count < ATTEMPTS_PER_ENTRY) await delay(RETRY_MS * count);
      else {
        // Not the entry itself: it holds names of beneficiaries. Whoever may see them lists the dead letters.
        this.#logger.error(
          { err: fault, queue: this.#queue, type: entry.type },
          'an entry cannot be handled and becomes a dead letter',
        );
        const reason = fault instanceof Error ? fault.message : String(fault);
        return this.#deadLetter(channel, bodyOf([entry.event]), entry.type, reason);
      }
    }
  }

  /**
   * Undefined when it was done, else why not. While the database cannot be reached it waits and tries again, and holds
   * the messages unacknowledged.
   */
  async #attempt(channel: ConfirmChannel, entries: IntegrationEntry[]): Promise<unknown> {
    for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, RETRY_AT_MOST_MS)) {
      try {
        await inSpans(this.#options.queue, entries, (continued) => this.#options.handle(continued as EntryOf<Q>[]));
        this.#handled.add(entries.length, { queue: this.#queue });
        return undefined;
      } catch (error) {
        const canWait = isDatabaseUnreachable(error) && channel === this.#channel && !this.#isStopping;
        if (!canWait) return error ?? new Error('failed without an error');
        this.#logger.warn({ queue: this.#queue }, `waiting for the database: ${(error as Error).message}`);
        await delay(wait);
      }
    }
  }

  /** True when the messages will be delivered again, for no fault of their own. */
  #isOver(channel: ConfirmChannel, fault: unknown): boolean {
    return channel !== this.#channel || (this.#isStopping && isDatabaseUnreachable(fault));
  }

  /**
   * Puts a message among the dead letters. False when the channel is gone or the consumer stops before the broker has
   * it.
   */
  async #deadLetter(channel: ConfirmChannel, content: Buffer, type: string, reason: string): Promise<boolean> {
    const headers = { [DEAD_LETTER_REASON]: reason.slice(0, REASON_CHARACTERS_AT_MOST) };
    const destination = { exchange: this.#name.deadLetterExchange, routingKey: this.#queue };
    while (channel === this.#channel) {
      try {
        await publishConfirmed(channel, destination, content, { type, headers });
        this.#deadLettered.add(1, { queue: this.#queue });
        return true;
      } catch (error) {
        this.#logger.error({ err: error, queue: this.#queue }, 'a message cannot be put among the dead letters');
        if (this.#isStopping) return false;
        await delay(RETRY_MS);
      }
    }
    return false;
  }
}
