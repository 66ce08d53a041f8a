import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { IntegrationEntry } from '@saleschannel/contracts';
import type { Logger, Part } from '@saleschannel/runtime';
import { Arrivals } from './arrivals.ts';
import { BatchWork } from './batch-work.ts';
import { createConsumerMetrics, type DepthObserver } from './consumer-metrics.ts';
import type { ConsumerOptions, EntryOf } from './consumer-options.ts';
import { openDelivery } from './delivery.ts';
import { readEnvelope } from './envelope.ts';
import { goodbye } from './goodbye.ts';
import { OpenDeliveries } from './open-deliveries.ts';
import { bindQueue, declareExchanges, declareQueue, names, queues, type QueueName } from './topology.ts';
import { UnknownMessages } from './unknown-messages.ts';

const THE_ONLY_LANE = 'all';
/**
 * An exchange or a binding may be taken away from under a queue, by an operator or by definitions that are imported.
 * Nobody is told, and without a binding nothing comes any more, or not to this queue alone.
 */
const BIND_AGAIN_MS = 10_000;
/** After its messages were given back. A statement that waits for a lost server fails after about half a minute. */
const BATCH_ENDS_WITHIN_MS = 90_000;
/** For the broker's answers before the channel is closed. */
const LEAVE_WITHIN_MS = 3_000;

/**
 * Reads a queue in micro-batches: whatever waits is handled in one transaction and acknowledged after it.
 *
 * - An entry that cannot be read, or whose data fail on their own again and again, goes to the dead letters with the
 *   reason. The others go on.
 * - While the database cannot be used nothing is lost or counted. Messages wait here for ten seconds. Then they go back
 *   to the queue, for a replica whose database works, and this one consumes again when its own does.
 * - An entry that somebody else is in the way of, by a lock for instance, is put off. It keeps its place before those
 *   it shares a key with. The others go on.
 * - A message that came back twice may end the process that handles it. It is handled alone, before all others.
 * - Lanes, such as sales channels, take turns by the work of their entries: a flood of one delays no other one.
 * - A message of an unknown type is left to others.
 *
 * It is written by hand because libraries for RabbitMQ acknowledge message by message and count an outage as a failure.
 */
export class Consumer<Q extends QueueName> implements Part {
  readonly #options: ConsumerOptions<Q>;
  readonly #name: ReturnType<typeof names>;
  /** The name of the queue on the broker. */
  readonly #queue: string;
  readonly #logger: Logger;
  readonly #unknown: UnknownMessages;
  readonly #metrics = createConsumerMetrics();
  #channel: ConfirmChannel | undefined;
  #consumerTag: string | undefined;
  readonly #arrivals = new Arrivals();
  readonly #open = new OpenDeliveries();
  readonly #work: BatchWork<Q>;
  #stopWatching: () => void = () => undefined;
  /** When the messages were given back while a batch was under way, on the `performance.now()` clock. */
  #gaveBackAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  #isStopping = false;
  #isAssigned: boolean;
  /** The channel on which everything is declared. */
  #ready: ConfirmChannel | undefined;
  /** The channel on which the broker has confirmed the consumer. */
  #confirmed: ConfirmChannel | undefined;

  constructor(options: ConsumerOptions<Q>) {
    this.#options = options;
    this.#isAssigned = options.isUnassigned !== true;
    this.#logger = options.logger;
    this.#name = names(options.broker.namespace);
    this.#queue = this.#name.queue(options.queue);
    this.#unknown = new UnknownMessages(options);
    this.#work = new BatchWork({
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
   * Begins to consume the queue, or ends: the batch under way is finished, and what else was delivered goes back to the
   * queue in its order before anybody else gets anything, for the channel ends with it.
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
    await goodbye(channel);
  }

  /** Whether it could work: its queue is declared on an open channel, and consumed if it should be. */
  get isReady(): boolean {
    const channel = this.#channel;
    if (channel === undefined || channel !== this.#ready || this.#options.availability.isLost) return false;
    return this.#isEnding || this.#confirmed === channel;
  }

  /** How many consumers the broker has for the queue, in all replicas. Undefined while it cannot be asked. */
  async countConsumers(): Promise<number | undefined> {
    const state = await this.#channel?.checkQueue(this.#queue).catch(() => undefined);
    return state?.consumerCount;
  }

  /** False when a batch never ends although its messages were given back: this process has to be restarted. */
  get isWell(): boolean {
    const { batchEndsWithinMs = BATCH_ENDS_WITHIN_MS } = this.#options;
    return this.#gaveBackAt === undefined || performance.now() - this.#gaveBackAt < batchEndsWithinMs;
  }

  async #followDatabase(): Promise<void> {
    try {
      if (this.#options.availability.isLost) await this.#giveBack();
      else {
        // A batch that still waits for the lost database would keep new messages waiting.
        await this.#pumping;
        await this.#begin();
      }
    } catch (error) {
      // The channel is gone, and its messages with it. The next one is set up for what is wanted then.
      this.#logger.warn({ err: error, queue: this.#queue }, 'the channel of a consumer failed');
    }
  }

  async #begin(): Promise<void> {
    const channel = this.#channel;
    if (!channel || this.#isEnding) return;
    if (this.#consumerTag !== undefined) this.#wake();
    else if (channel === this.#ready) await this.#consume(channel);
  }

  /** The channel ends, so that every message it holds goes back to its place in the queue. */
  async #giveBack(): Promise<void> {
    const channel = this.#channel;
    const count = this.#open.size;
    this.#logger.error({ queue: this.#queue, count }, 'the database is lost: messages go back to their queue');
    if (!channel) return;
    this.#metrics.givenBack.add(count, { queue: this.#queue });
    void this.#pumping?.finally(() => (this.#gaveBackAt = undefined));
    if (this.#pumping) this.#gaveBackAt = performance.now();
    await Promise.race([this.#leave(channel), delay(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    if (channel === this.#channel) this.#forget();
    await goodbye(channel);
  }

  async #leave(channel: ConfirmChannel): Promise<void> {
    if (this.#consumerTag !== undefined) await channel.cancel(this.#consumerTag);
    await this.#open.copyWorn(channel, this.#name.endOf(this.#options.queue));
  }

  /** Whether what is under way is the last. */
  get #isEnding(): boolean {
    return this.#isStopping || !this.#isAssigned || this.#options.availability.isLost;
  }

  /** What is not acknowledged comes again, on the next channel or to the next consumer. */
  #forget(): void {
    clearTimeout(this.#timer);
    this.#arrivals.clear();
    this.#work.putOff.clear();
    this.#open.clear();
  }

  readonly #observeDepth: DepthObserver = async (result) => {
    for (const queue of [this.#queue, this.#name.deadLetterQueue(this.#options.queue)]) {
      const state = await this.#channel?.checkQueue(queue).catch(() => undefined);
      if (state) result.observe(state.messageCount, { queue });
    }
  };

  async #attach(channel: ConfirmChannel): Promise<void> {
    this.#channel = channel;
    this.#consumerTag = undefined;
    this.#forget();
    const { broker, queue, bindAgainMs = BIND_AGAIN_MS } = this.#options;
    await declareQueue(channel, broker, queue);
    const binding = setInterval(() => void this.#bindAgain(channel), bindAgainMs).unref();
    channel.on('close', () => {
      clearInterval(binding);
      if (this.#channel === channel) this.#channel = undefined;
    });
    await channel.prefetch(this.#options.prefetch);
    this.#ready = channel;
    if (!this.#isEnding) await this.#consume(channel);
    else this.#options.becameReady?.();
  }

  async #consume(channel: ConfirmChannel): Promise<void> {
    const consumerTag = randomUUID();
    this.#consumerTag = consumerTag;
    const receive = (message: ConsumeMessage | null): void => {
      if (message) this.#receive(channel, message);
      // The queue was deleted. A new channel declares it again.
      else void goodbye(channel);
    };
    await channel.consume(this.#queue, receive, { consumerTag });
    this.#confirmed = channel;
    this.#options.becameReady?.();
  }

  /** What is missing meanwhile ends the channel, and on the next one everything is declared anew. */
  async #bindAgain(channel: ConfirmChannel): Promise<void> {
    const { namespace } = this.#options.broker;
    try {
      await declareExchanges(channel, namespace);
      await bindQueue(channel, namespace, this.#options.queue);
    } catch (error) {
      if (channel === this.#channel) this.#logger.warn({ err: error, queue: this.#queue }, 'a queue cannot be bound');
    }
  }

  #receive(channel: ConfirmChannel, message: ConsumeMessage): void {
    const envelope = readEnvelope(message.properties.type, message.content, queues[this.#options.queue].events);
    if (envelope.kind === 'unknown-type') {
      this.#unknown.leaveAlone(channel, message, envelope.type);
      return;
    }
    const { keysOf, laneOf, costOf } = this.#options;
    const placeOf = (entry: IntegrationEntry) => {
      const event = entry.event as EntryOf<Q>['event'];
      return {
        keys: keysOf?.(event) ?? [],
        lane: laneOf ? laneOf(event) : THE_ONLY_LANE,
        cost: costOf ? Math.max(1, costOf(event)) : 1,
      };
    };
    const delivery = openDelivery(message, envelope, placeOf);
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
    // Lets every delivery of the same read from the socket join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    const { inTurn = (work) => work() } = this.#options;
    while (await inTurn(() => this.#handleNext())) continue;
    const dueInMs = this.#isEnding ? undefined : this.#work.putOff.dueInMs();
    if (dueInMs !== undefined) this.#timer = setTimeout(() => this.#wake(), dueInMs + 1);
  }

  /** Handles what is to be handled next. False when there is nothing, or no more is to be handled here. */
  async #handleNext(): Promise<boolean> {
    const channel = this.#channel;
    if (!channel || this.#isEnding) return false;
    const due = this.#work.putOff.due();
    if (this.#arrivals.isEmpty && !due) return false;
    const suspect = this.#arrivals.takeSuspect();
    if (suspect) await this.#work.handleAlone(channel, suspect);
    else {
      for (const delivery of this.#arrivals.takeEmpty()) await this.#work.finish(channel, delivery);
      const { batchEntriesAtMost: entries, batchCostAtMost: cost = Infinity } = this.#options;
      await this.#work.handleBatch(channel, this.#arrivals.take({ entries, cost }));
    }
    if (due && channel === this.#channel) await this.#work.handleOne(channel, due);
    return true;
  }
}
