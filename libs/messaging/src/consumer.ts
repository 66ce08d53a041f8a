import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Logger, Part } from '@saleschannel/runtime';
import { Arrivals } from './schedule.ts';
import { BatchHandler } from './batch-handler.ts';
import { keepBound } from './bindings.ts';
import { createConsumerMetrics, createDepthObserver, type DepthObserver } from './consumer-metrics.ts';
import { toScheduling, type ConsumerOptions } from './consumer-options.ts';
import { createDelivery, OpenDeliveries } from './deliveries.ts';
import { readEnvelope } from './envelope.ts';
import { closeGracefully } from './amqp.ts';
import { declareQueue, brokerNames, queues, type QueueName } from './topology.ts';
import { UnknownMessages } from './waiting-queue.ts';

/**
 * Limit for the rest of a batch after its messages were returned. A statement that waits for a lost server fails after
 * about half a minute.
 */
const MAX_BATCH_MS = 90_000;
/** Time for the broker's answers before the channel is closed. */
const MAX_LEAVE_MS = 3_000;

/**
 * Reads a queue in micro-batches: all waiting messages are handled in one transaction and acknowledged after it.
 *
 * - Unreadable entries, and entries whose data fail repeatedly on their own, become dead letters with the reason.
 * - While the database is unavailable, nothing is lost or counted as a failure. Messages wait here for ten seconds,
 *   then return to the queue for a replica with a working database. This consumer resumes when its own database works.
 * - An entry that meets a conflict, such as a lock of another transaction, is deferred. Entries that share a key with
 *   it wait behind it; others continue.
 * - A message that returned twice may have crashed the process. It is handled alone, before all others.
 * - Lanes, such as sales channels, are scheduled by the cost of their entries, so a flood of one does not delay others.
 * - Messages of an unknown type are left to other replicas.
 *
 * Written by hand because libraries for RabbitMQ acknowledge single messages and count an outage as a failure.
 */
export class Consumer<Q extends QueueName> implements Part {
  readonly #options: ConsumerOptions<Q>;
  readonly #name: ReturnType<typeof brokerNames>;
  readonly #queue: string;
  readonly #logger: Logger;
  readonly #unknown: UnknownMessages;
  readonly #metrics = createConsumerMetrics();
  readonly #observeDepth: DepthObserver;
  #channel: ConfirmChannel | undefined;
  #consumerTag: string | undefined;
  readonly #arrivals = new Arrivals();
  readonly #open = new OpenDeliveries();
  readonly #work: BatchHandler<Q>;
  #stopWatching: () => void = () => undefined;
  /** When the messages were returned during a batch, on the `performance.now()` clock. */
  #returnedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  #isStopping = false;
  #isAssigned: boolean;
  /** The channel on which the queue is declared and bound. */
  #ready: ConfirmChannel | undefined;
  /** The channel on which the broker has confirmed the consumer. */
  #confirmed: ConfirmChannel | undefined;

  constructor(options: ConsumerOptions<Q>) {
    this.#options = options;
    this.#isAssigned = options.isUnassigned !== true;
    this.#logger = options.logger;
    this.#name = brokerNames(options.broker.namespace);
    this.#queue = this.#name.queue(options.queue);
    this.#unknown = new UnknownMessages(options);
    const depthQueues = [this.#queue, this.#name.deadLetterQueue(options.queue)];
    this.#observeDepth = createDepthObserver(depthQueues, () => this.#channel);
    this.#work = new BatchHandler({
      consumer: options,
      metrics: this.#metrics,
      open: this.#open,
      isCurrent: (channel) => channel === this.#channel,
      isEnding: () => this.#isEnding,
    });
    options.broker.use((channel) => this.#attach(channel));
  }

  start(): Promise<void> {
    this.#metrics.depth.addCallback(this.#observeDepth);
    this.#stopWatching = this.#options.availability.onChange(() => void this.#followDatabase());
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopWatching();
    this.#metrics.depth.removeCallback(this.#observeDepth);
    if (this.#channel && this.#consumerTag) await this.#channel.cancel(this.#consumerTag).catch(() => undefined);
    this.#forget();
    await this.#pumping;
  }

  /**
   * Starts consuming the queue, or stops: the current batch is finished, and all other delivered messages return to
   * their place in the queue because the channel closes.
   */
  async assign(isAssigned: boolean): Promise<void> {
    if (isAssigned === this.#isAssigned) return;
    this.#isAssigned = isAssigned;
    if (isAssigned) return this.#begin();
    const channel = this.#channel;
    if (!channel) return;
    await this.#pumping;
    if (channel !== this.#channel || this.#isAssigned) return;
    this.#forget();
    await closeGracefully(channel);
  }

  /** Whether the queue is declared on an open channel, and consumed if it should be. */
  get isReady(): boolean {
    const channel = this.#channel;
    if (channel === undefined || channel !== this.#ready || this.#options.availability.isLost) return false;
    return this.#isEnding || this.#confirmed === channel;
  }

  /** Returns how many consumers the queue has, in all replicas. Undefined while the broker is unreachable. */
  async countConsumers(): Promise<number | undefined> {
    const state = await this.#channel?.checkQueue(this.#queue).catch(() => undefined);
    return state?.consumerCount;
  }

  /** False if a batch does not end although its messages were returned: this process must be restarted. */
  get isHealthy(): boolean {
    const { maxBatchMs = MAX_BATCH_MS } = this.#options;
    return this.#returnedAt === undefined || performance.now() - this.#returnedAt < maxBatchMs;
  }

  async #followDatabase(): Promise<void> {
    try {
      if (this.#options.availability.isLost) await this.#returnMessages();
      else {
        // A batch that still waits for the lost database would delay new messages.
        await this.#pumping;
        await this.#begin();
      }
    } catch (error) {
      // The channel is closed, and its messages return to the queue. The setup of the next channel follows the state at
      // that time.
      this.#logger.warn({ err: error, queue: this.#queue }, 'a consumer channel failed');
    }
  }

  async #begin(): Promise<void> {
    const channel = this.#channel;
    if (!channel || this.#isEnding) return;
    if (this.#consumerTag !== undefined) this.#wake();
    else if (channel === this.#ready) await this.#consume(channel);
  }

  /** Closes the channel, so that every message on it returns to its place in the queue. */
  async #returnMessages(): Promise<void> {
    const channel = this.#channel;
    const count = this.#open.size;
    this.#logger.error({ queue: this.#queue, count }, 'the database is unavailable; returning messages to their queue');
    if (!channel) return;
    this.#metrics.returned.add(count, { queue: this.#queue });
    void this.#pumping?.finally(() => (this.#returnedAt = undefined));
    if (this.#pumping) this.#returnedAt = performance.now();
    await Promise.race([this.#leave(channel), delay(MAX_LEAVE_MS, undefined, { ref: false })]);
    if (channel === this.#channel) this.#forget();
    await closeGracefully(channel);
  }

  async #leave(channel: ConfirmChannel): Promise<void> {
    if (this.#consumerTag !== undefined) await channel.cancel(this.#consumerTag);
    await this.#open.requeueAsCopies(channel, this.#name.endOf(this.#options.queue));
  }

  /** Whether the consumer finishes the current work and begins no more. */
  get #isEnding(): boolean {
    return this.#isStopping || !this.#isAssigned || this.#options.availability.isLost;
  }

  /** Drops all state. Unacknowledged messages are redelivered, on the next channel or to another consumer. */
  #forget(): void {
    clearTimeout(this.#timer);
    this.#arrivals.clear();
    this.#work.deferred.clear();
    this.#open.clear();
  }

  async #attach(channel: ConfirmChannel): Promise<void> {
    this.#channel = channel;
    this.#consumerTag = undefined;
    this.#forget();
    const { broker, queue, rebindEveryMs } = this.#options;
    await declareQueue(channel, broker, queue);
    keepBound(channel, { namespace: broker.namespace, queue, everyMs: rebindEveryMs }, (error) => {
      if (channel === this.#channel) this.#logger.warn({ err: error, queue: this.#queue }, 'cannot bind a queue');
    });
    channel.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined;
    });
    await channel.prefetch(this.#options.prefetch);
    this.#ready = channel;
    if (!this.#isEnding) await this.#consume(channel);
    else this.#options.onReady?.();
  }

  async #consume(channel: ConfirmChannel): Promise<void> {
    const consumerTag = randomUUID();
    this.#consumerTag = consumerTag;
    const receive = (message: ConsumeMessage | null): void => {
      if (message) this.#receive(channel, message);
      // The queue was deleted. A new channel declares it again.
      else void closeGracefully(channel);
    };
    await channel.consume(this.#queue, receive, { consumerTag });
    this.#confirmed = channel;
    this.#options.onReady?.();
  }

  #receive(channel: ConfirmChannel, message: ConsumeMessage): void {
    const envelope = readEnvelope(message.properties.type, message.content, queues[this.#options.queue].events);
    if (envelope.kind === 'unknown-type') {
      this.#unknown.postpone(channel, message, envelope.type);
      return;
    }
    const delivery = createDelivery(message, envelope, (entry) => toScheduling(this.#options, entry));
    this.#open.add(delivery);
    this.#arrivals.add(delivery);
    this.#wake();
  }

  #wake(): void {
    clearTimeout(this.#timer);
    this.#pumping ??= this.#pump()
      .catch((error: unknown) => this.#logger.error({ err: error, queue: this.#queue }, 'the consumer failed'))
      .finally(() => (this.#pumping = undefined));
  }

  async #pump(): Promise<void> {
    // Lets every delivery of the same socket read join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    const { runInTurn = (work) => work() } = this.#options;
    while (await runInTurn(() => this.#handleNext())) continue;
    const dueInMs = this.#isEnding ? undefined : this.#work.deferred.dueInMs();
    if (dueInMs !== undefined) this.#timer = setTimeout(() => this.#wake(), dueInMs + 1);
  }

  /** Handles the next batch and the next due entry. Returns false if there is none, or if the consumer ends. */
  async #handleNext(): Promise<boolean> {
    const channel = this.#channel;
    if (!channel || this.#isEnding) return false;
    const due = this.#work.deferred.findDue();
    if (this.#arrivals.isEmpty && !due) return false;
    const suspect = this.#arrivals.takeSuspect();
    if (suspect) await this.#work.handleAlone(channel, suspect);
    else {
      for (const delivery of this.#arrivals.takeEmpty()) await this.#work.finish(channel, delivery);
      const { maxBatchEntries: entries, maxBatchCost: cost = Infinity } = this.#options;
      await this.#work.handleBatch(channel, this.#arrivals.take({ entries, cost }));
    }
    if (due && channel === this.#channel) await this.#work.handleOne(channel, due);
    return true;
  }
}
