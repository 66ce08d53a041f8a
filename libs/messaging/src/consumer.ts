import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { isIntegrationEventType, parseIntegrationEvent, type IntegrationEvent, type IntegrationEventType } from '@saleschannel/contracts';
import { isDatabaseUnreachable } from '@saleschannel/database';
import { meter, type Logger, type Part } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { declareQueue, names, type queues, type QueueName } from './topology.ts';

/** One entry of an envelope, with its type. */
export type Entry<T extends IntegrationEventType = IntegrationEventType> = { [K in T]: { type: K; event: IntegrationEvent<K> } }[T];

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

interface Delivery {
  message: ConsumeMessage;
  entries: Entry[];
}

/**
 * Reads a queue in micro-batches: whatever waits is handled in one transaction, and acknowledged after it. An entry that fails on its own, again and again, is
 * parked among the dead letters with the reason; the others go on. While the database is away nothing is lost, requeued or counted.
 */
export function createConsumer<Q extends QueueName>(options: ConsumerOptions<Q>): Consumer {
  const name = names(options.broker.namespace);
  const queue = name.queue(options.queue);
  let channel: ConfirmChannel | undefined;
  let consumerTag = '';
  let waiting: Delivery[] = [];
  let pumping: Promise<void> | undefined;
  let stopping = false;
  const parked = meter().createCounter('messages_parked_total', { description: 'Entries put among the dead letters' });
  const handled = meter().createCounter('messages_handled_total', { description: 'Entries handled' });
  const depth = meter().createObservableGauge('queue_depth', { description: 'Messages that wait in a queue' });
  const observeDepth = async (result: { observe(value: number, attributes: { queue: string }): void }): Promise<void> => {
    for (const each of [queue, name.deadLetterQueue(options.queue)]) {
      const state = await channel?.checkQueue(each).catch(() => undefined);
      if (state) result.observe(state.messageCount, { queue: each });
    }
  };

  options.broker.use(async (fresh) => {
    channel = fresh;
    waiting = [];
    fresh.on('close', () => {
      if (channel === fresh) channel = undefined;
    });
    await declareQueue(fresh, options.broker.namespace, options.queue);
    await fresh.prefetch(options.prefetch);
    if (stopping) return;
    const consumed = await fresh.consume(queue, (message) => {
      if (message) receive(fresh, message);
    });
    consumerTag = consumed.consumerTag;
  });

  function receive(from: ConfirmChannel, message: ConsumeMessage): void {
    const entries = readEnvelope(message);
    if (entries) waiting.push({ message, entries });
    else void park(from, message.content, message.properties.type, 'the message cannot be read').then(() => from.ack(message), () => undefined);
    pumping ??= pump().finally(() => (pumping = undefined));
  }

  function readEnvelope(message: ConsumeMessage): Entry[] | undefined {
    try {
      const type: unknown = message.properties.type;
      if (!isIntegrationEventType(type)) return undefined;
      const { entries } = JSON.parse(message.content.toString()) as { entries: unknown[] };
      return entries.map((entry) => ({ type, event: parseIntegrationEvent(type, entry) }) as Entry);
    } catch {
      return undefined;
    }
  }

  async function pump(): Promise<void> {
    // Lets every delivery of the same read from the socket join the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && channel) {
      const from = channel;
      const batch: Delivery[] = [];
      let size = 0;
      while (waiting[0] && (batch.length === 0 || size + waiting[0].entries.length <= options.batchEntriesAtMost)) {
        const delivery = waiting.shift() as Delivery;
        batch.push(delivery);
        size += delivery.entries.length;
      }
      await handleBatch(from, batch.flatMap((delivery) => delivery.entries));
      const last = batch.at(-1)?.message;
      if (last && from === channel) from.ack(last, true);
    }
  }

  async function handleBatch(from: ConfirmChannel, entries: Entry[]): Promise<void> {
    try {
      await whileUnreachable(from, () => options.handle(entries as never));
      handled.add(entries.length, { queue });
    } catch (error) {
      if (from !== channel) return;
      if (entries.length > 1) {
        options.logger.warn({ err: error, queue }, `a batch of ${entries.length} failed; trying each entry alone`);
        for (const entry of entries) await handleOne(from, entry);
      } else if (entries[0]) await handleOne(from, entries[0]);
    }
  }

  async function handleOne(from: ConfirmChannel, entry: Entry): Promise<void> {
    for (let attempt = 1; from === channel; attempt++) {
      try {
        await whileUnreachable(from, () => options.handle([entry] as never));
        handled.add(1, { queue });
        return;
      } catch (error) {
        if (attempt < ATTEMPTS_PER_ENTRY) await delay(RETRY_MS * attempt);
        else {
          options.logger.error({ err: error, queue, entry }, 'an entry cannot be handled and is parked among the dead letters');
          await park(from, Buffer.from(JSON.stringify({ entries: [entry.event] })), entry.type, (error as Error).message);
          return;
        }
      }
    }
  }

  /** Runs `work`; while the database is away it waits and tries again, holding the messages unacknowledged. */
  async function whileUnreachable(from: ConfirmChannel, work: () => Promise<void>): Promise<void> {
    for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, RETRY_AT_MOST_MS)) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseUnreachable(error) || from !== channel || stopping) throw error;
        options.logger.warn({ queue }, `waiting for the database: ${(error as Error).message}`);
        await delay(wait);
      }
    }
  }

  function park(from: ConfirmChannel, content: Buffer, type: unknown, reason: string): Promise<void> {
    parked.add(1, { queue });
    return new Promise((resolve, reject) => {
      const properties = { type: String(type), contentType: 'application/json', persistent: true, mandatory: true, headers: { 'x-parked-reason': reason.slice(0, 500) } };
      from.publish(name.deadLetterExchange, queue, content, properties, (error) => (error ? reject(error as Error) : resolve()));
    });
  }

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
