import { randomUUID } from 'node:crypto';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { isDatabaseUnreachable } from '@saleschannel/database';
import { meter, type Logger, type Part } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { bodyOf, readEnvelope, type Entry, type Envelope } from './envelope.ts';
import { declareQueue, names, queues, type QueueName } from './topology.ts';
import { inSpans } from './tracing.ts';

export interface ConsumerOptions<Q extends QueueName> {
  broker: Broker;
  queue: Q;
  /** Messages (envelopes) on their way to this consumer at once. */
  prefetch: number;
  /** Entries in one call of `handle` at most, unless a single message holds more. */
  batchEntriesAtMost: number;
  /**
   * Carries out the entries in one transaction. It may meet an entry twice and must then do nothing; it is called with one entry at a time when a batch failed.
   * Throwing 'unavailable' holds everything until the database is back.
   */
  handle(entries: Entry<(typeof queues)[Q]['events'][number]>[]): Promise<void>;
  logger: Logger;
}

export interface Consumer extends Part {
  /** Resolves when nothing that was delivered waits to be handled; for tests. */
  idle(): Promise<void>;
}

const ATTEMPTS_PER_ENTRY = 3;
const RETRY_MS = 200;
const RETRY_AT_MOST_MS = 5_000;
const REASON_CHARACTERS_AT_MOST = 500;

interface Delivery extends Envelope {
  message: ConsumeMessage;
}

/**
 * Reads a queue in micro-batches: whatever waits is handled in one transaction, and acknowledged after it. An entry that cannot be read, or that fails on its own,
 * again and again, is parked among the dead letters with the reason; the others go on. While the database is away nothing is lost, requeued or counted.
 */
export function createConsumer<Q extends QueueName>(options: ConsumerOptions<Q>): Consumer {
  const name = names(options.broker.namespace);
  const queue = name.queue(options.queue);
  let channel: ConfirmChannel | undefined;
  let consumerTag = '';
  let waiting: Delivery[] = [];
  let pumping: Promise<void> | undefined;
  let stopping = false;
  const returned = new Set<string>();
  const parked = meter().createCounter('messages_parked_total', { description: 'Entries put among the dead letters' });
  const handled = meter().createCounter('messages_handled_total', { description: 'Entries handled' });
  const depth = meter().createObservableGauge('queue_depth', { description: 'Messages that wait in a queue' });
  const observeDepth = async (result: {
    observe(value: number, attributes: { queue: string }): void;
  }): Promise<void> => {
    for (const each of [queue, name.deadLetterQueue(options.queue)]) {
      const state = await channel?.checkQueue(each).catch(() => undefined);
      if (state) result.observe(state.messageCount, { queue: each });
    }
  };

  options.broker.use(async (fresh) => {
    channel = fresh;
    waiting = [];
    returned.clear();
    fresh.on('close', () => {
      if (channel === fresh) channel = undefined;
    });
    fresh.on('return', (message) => returned.add(String(message.properties.messageId)));
    await declareQueue(fresh, options.broker.namespace, options.queue);
    await fresh.prefetch(options.prefetch);
    if (stopping) return;
    const consumed = await fresh.consume(queue, (message) => {
      if (message) receive(message);
      // The queue is gone. A new channel declares it again.
      else void fresh.close().catch(() => undefined);
    });
    consumerTag = consumed.consumerTag;
  });

  function receive(message: ConsumeMessage): void {
    waiting.push({ message, ...readEnvelope(message.properties.type, message.content, queues[options.queue].events) });
    pumping ??= pump()
      .catch((error: unknown) => options.logger.error({ err: error, queue }, 'the consumer stumbled'))
      .finally(() => (pumping = undefined));
  }

  function takeBatch(): Delivery[] {
    let size = 0;
    const end = waiting.findIndex(
      (delivery, index) => (size += delivery.entries.length) > options.batchEntriesAtMost && index > 0,
    );
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function pump(): Promise<void> {
    // Lets every delivery of the same read from the socket join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && channel && !stopping) {
      const from = channel;
      const batch = takeBatch();
      const isDone = await handleBatch(from, batch);
      const last = batch.at(-1)?.message;
      // What is not acknowledged comes again, on the next channel or to the next consumer.
      if (isDone && last && from === channel) from.ack(last, true);
    }
  }

  /** True when every entry was handled or parked. False when the channel is gone or the consumer stops before that. */
  async function handleBatch(from: ConfirmChannel, batch: Delivery[]): Promise<boolean> {
    const entries = batch.flatMap((delivery) => delivery.entries);
    if (entries.length > 0 && !(await handleEntries(from, entries))) return false;
    for (const { message, unreadable } of batch) {
      for (const content of unreadable)
        if (!(await park(from, content, message.properties.type, 'the message cannot be read'))) return false;
    }
    return true;
  }

  async function handleEntries(from: ConfirmChannel, entries: Entry[]): Promise<boolean> {
    const [first] = entries;
    if (entries.length === 1 && first) return handleOne(from, first);
    const fault = await attempt(from, entries);
    if (fault === undefined) return true;
    if (isOver(from, fault)) return false;
    options.logger.warn({ err: fault, queue }, `a batch of ${entries.length} failed; trying each entry alone`);
    for (const entry of entries) if (!(await handleOne(from, entry))) return false;
    return true;
  }

  async function handleOne(from: ConfirmChannel, entry: Entry): Promise<boolean> {
    for (let count = 1; ; count++) {
      const fault = await attempt(from, [entry]);
      if (fault === undefined) return true;
      if (isOver(from, fault)) return false;
      if (count < ATTEMPTS_PER_ENTRY) await delay(RETRY_MS * count);
      else {
        options.logger.error(
          { err: fault, queue, entry },
          'an entry cannot be handled and is parked among the dead letters',
        );
        return park(from, bodyOf([entry.event]), entry.type, fault instanceof Error ? fault.message : String(fault));
      }
    }
  }

  /** Undefined when it was done, else why not; while the database is away it waits and tries again, holding the messages unacknowledged. */
  async function attempt(from: ConfirmChannel, entries: Entry[]): Promise<unknown> {
    for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, RETRY_AT_MOST_MS)) {
      try {
        await inSpans(options.queue, entries, (continued) => options.handle(continued as never));
        handled.add(entries.length, { queue });
        return undefined;
      } catch (error) {
        if (!isDatabaseUnreachable(error) || from !== channel || stopping)
          return error ?? new Error('failed without an error');
        options.logger.warn({ queue }, `waiting for the database: ${(error as Error).message}`);
        await delay(wait);
      }
    }
  }

  /** True when the messages are somebody else's now, or will be: not for a fault of their own. */
  const isOver = (from: ConfirmChannel, fault: unknown): boolean =>
    from !== channel || (stopping && isDatabaseUnreachable(fault));

  /** Puts a message among the dead letters; tries until the broker has it, or until the channel is gone or the consumer stops: false then. */
  async function park(from: ConfirmChannel, content: Buffer, type: unknown, reason: string): Promise<boolean> {
    while (from === channel) {
      try {
        await publishDeadLetter(from, content, type, reason);
        parked.add(1, { queue });
        return true;
      } catch (error) {
        options.logger.error({ err: error, queue }, 'a message cannot be parked among the dead letters');
        if (stopping) return false;
        await delay(RETRY_MS);
      }
    }
    return false;
  }

  const publishDeadLetter = (from: ConfirmChannel, content: Buffer, type: unknown, reason: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-parked-reason': reason.slice(0, REASON_CHARACTERS_AT_MOST) };
      const messageId = randomUUID();
      const properties = {
        messageId,
        type: String(type),
        contentType: 'application/json',
        persistent: true,
        mandatory: true,
        headers,
      };
      from.publish(name.deadLetterExchange, queue, content, properties, (error) => {
        if (error) reject(error as Error);
        else if (returned.delete(messageId)) reject(new Error('there is no queue for dead letters'));
        else resolve();
      });
    });

  return {
    start() {
      depth.addCallback(observeDepth);
      return Promise.resolve();
    },
    async stop() {
      stopping = true;
      depth.removeCallback(observeDepth);
      if (channel && consumerTag) await channel.cancel(consumerTag).catch(() => undefined);
      waiting = [];
      await pumping;
    },
    async idle() {
      while (pumping) await pumping;
    },
  };
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
