import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@saleschannel/runtime';
import type { ConfirmChannel, GetMessage, ConsumeMessage } from 'amqplib';
import { publishConfirmed, openConnection, closeGracefully } from './amqp.ts';
import { RETRY_MS } from './attempt.ts';
import { countReturns } from './deliveries.ts';
import { DEAD_LETTER_REASON, brokerNames, type QueueName } from './topology.ts';

const MAX_REASON_CHARACTERS = 500;

interface Letter {
  /** The queue's name on the broker. */
  readonly queue: string;
  readonly content: Buffer;
  readonly type: string;
  readonly reason: string;
  /** The delivered message that contains it. */
  readonly inPlaceOf: ConsumeMessage;
}

interface WriterOptions {
  readonly logger: Logger;
  isOpen(): boolean;
  mayWait(): boolean;
}

/**
 * Publishes a dead letter, with retries. Returns false if the channel closes or the consumer ends before the broker
 * confirms it.
 */
export async function putDeadLetter(
  channel: ConfirmChannel,
  exchange: string,
  { queue, content, type, reason, inPlaceOf }: Letter,
  { logger, isOpen, mayWait }: WriterOptions,
): Promise<boolean> {
  const headers = { [DEAD_LETTER_REASON]: reason.slice(0, MAX_REASON_CHARACTERS) };
  while (isOpen()) {
    try {
      await publishConfirmed(channel, { exchange, routingKey: queue }, content, { type, headers, replaces: inPlaceOf });
      return true;
    } catch (error) {
      logger.error({ err: error, queue }, 'cannot publish a dead letter');
      if (!mayWait()) return false;
      await delay(RETRY_MS);
    }
  }
  return false;
}

/** How long to wait for a silent broker after the work is done. */
const CLOSE_MS = 2_000;

/** A message that could not be handled. */
export interface DeadLetter {
  queue: QueueName;
  type: string;
  reason: string;
  body: string;
}

/** Connects an operator to the dead letters. Needs a broker user with read and write permission on the queues. */
export async function withDeadLetters<T>(
  url: string,
  namespace: string,
  work: (deadLetters: DeadLetters) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(url);
  // The pending call fails with the same error. Without a listener, a missing queue would end the process.
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return await work(createDeadLetters(channel, namespace));
  } finally {
    await Promise.race([closeGracefully(connection), delay(CLOSE_MS, undefined, { ref: false })]);
  }
}

/**
 * After this many reads, a letter is replaced by a new message. The broker counts every read as a failed delivery, and
 * from 4.0 on, RabbitMQ discards a message of a quorum queue after 20 of them, unless `x-delivery-limit` is -1. But
 * with that argument, 3.10 discards a message at its first read (measured on 3.10.8), and existing queues cannot get
 * it.
 */
const MAX_READS = 5;

/** Headers in which the broker counts reads. Copies must not have them. */
const counters = new Set(['x-delivery-count', 'x-acquired-count']);

export interface DeadLetters {
  /** Reads dead letters without removing them, any number of times. */
  list(queue: QueueName, atMost: number): Promise<DeadLetter[]>;
  /**
   * Returns dead letters to their queue, each confirmed before it leaves the dead letters. Returns how many.
   * @throws Error if the queue does not exist: the message stays a dead letter
   */
  replay(queue: QueueName, atMost: number): Promise<number>;
}

function createDeadLetters(channel: ConfirmChannel, namespace: string): DeadLetters {
  const name = brokerNames(namespace);
  // A broker drops acknowledgements that it has received and not processed when the connection closes.
  const flushAcknowledgements = (queue: QueueName): Promise<unknown> => channel.checkQueue(name.deadLetterQueue(queue));

  /** Returns letters after a read, all of them in the same way, so that they keep their order. */
  async function putBack(queue: QueueName, letters: readonly GetMessage[]): Promise<void> {
    const mustRenew = letters.some((letter) => countReturns(letter) >= MAX_READS);
    for (const letter of letters) {
      if (mustRenew) await renew(queue, letter);
      else channel.nack(letter, false, true);
    }
    await flushAcknowledgements(queue);
  }

  /** Replaces a letter. If the connection breaks in between, the letter exists twice, which is harmless. */
  async function renew(queue: QueueName, letter: GetMessage): Promise<void> {
    const { type, headers = {} } = letter.properties as { type: string; headers?: Record<string, unknown> };
    const copied = Object.fromEntries(Object.entries(headers).filter(([key]) => !counters.has(key)));
    const destination = { exchange: name.deadLetterExchange, routingKey: name.queue(queue) };
    await publishConfirmed(channel, destination, letter.content, { type, headers: copied });
    channel.ack(letter);
  }

  return {
    async list(queue, atMost) {
      const letters: GetMessage[] = [];
      while (letters.length < atMost) {
        const letter = await channel.get(name.deadLetterQueue(queue));
        if (!letter) break;
        letters.push(letter);
      }
      await putBack(queue, letters);
      return letters.map((letter) => describe(queue, letter));
    },
    async replay(queue, atMost) {
      // Without this limit, a letter that fails again at once would be replayed up to `atMost` times.
      const { messageCount } = await channel.checkQueue(name.deadLetterQueue(queue));
      const count = Math.min(atMost, messageCount);
      let replayed = 0;
      for (; replayed < count; replayed++) {
        const letter = await channel.get(name.deadLetterQueue(queue));
        if (!letter) break;
        const { type } = letter.properties as { type: string };
        try {
          await publishConfirmed(channel, name.endOf(queue), letter.content, { type });
        } catch (error) {
          await putBack(queue, [letter]);
          throw error;
        }
        channel.ack(letter);
      }
      await flushAcknowledgements(queue);
      return replayed;
    },
  };
}

function describe(queue: QueueName, { properties, content }: GetMessage): DeadLetter {
  const headers = properties.headers ?? {};
  const reason = headers[DEAD_LETTER_REASON] ?? headers['x-first-death-reason'] ?? 'unknown';
  return { queue, type: String(properties.type), reason: String(reason), body: content.toString() };
}
