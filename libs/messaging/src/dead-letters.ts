import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import { publishConfirmed } from './confirmed.ts';
import { connectTo } from './connection.ts';
import { returnsOf } from './delivery.ts';
import { goodbye } from './goodbye.ts';
import { DEAD_LETTER_REASON, names, type QueueName } from './topology.ts';

/** How long a broker that says nothing any more holds up who has what they asked for. */
const CLOSE_MS = 2_000;

/** A message that could not be handled. */
export interface DeadLetter {
  queue: QueueName;
  type: string;
  reason: string;
  body: string;
}

/**
 * For an operator: looks at dead letters and hands them to their queue again. Needs a broker user who may read and
 * write the queues.
 */
export async function withDeadLetters<T>(
  url: string,
  namespace: string,
  work: (deadLetters: DeadLetters) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(url);
  // The call under way fails with the same error. Without a listener the process would end, for want of a queue for
  // instance.
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return await work(createDeadLetters(channel, namespace));
  } finally {
    await Promise.race([goodbye(connection), delay(CLOSE_MS, undefined, { ref: false })]);
  }
}

/**
 * Every look is counted by the broker as a delivery that failed. RabbitMQ throws a message of a quorum queue away after
 * 20 of them from 4.0 on, unless the queue has `x-delivery-limit` -1. But 3.10 takes that for a limit that the first
 * look exceeds (measured on 3.10.8), and a queue that exists cannot get it. So a letter that was looked at this often
 * is put back as a new message, which was never looked at.
 */
const LOOKS_AT_MOST = 5;

/** Headers in which the broker counts. A copy that had them would seem to have been looked at. */
const counters = new Set(['x-delivery-count', 'x-acquired-count']);

export interface DeadLetters {
  /** Looks without taking: everything that was read stays, however often it is looked at. */
  list(queue: QueueName, atMost: number): Promise<DeadLetter[]>;
  /**
   * Hands dead letters to their queue again, each confirmed before it leaves the dead letters. Returns how many.
   * @throws Error when the queue does not exist: the message stays a dead letter
   */
  replay(queue: QueueName, atMost: number): Promise<number>;
}

function createDeadLetters(channel: ConfirmChannel, namespace: string): DeadLetters {
  const name = names(namespace);
  // The broker reads an acknowledgement before it carries it out, and forgets the last one when the connection ends at
  // once.
  const carriedOut = (queue: QueueName): Promise<unknown> => channel.checkQueue(name.deadLetterQueue(queue));

  /** Puts letters back that were only looked at. All of them in one way, so that they keep their order. */
  async function putBack(queue: QueueName, letters: readonly GetMessage[]): Promise<void> {
    const isWorn = letters.some((letter) => returnsOf(letter) >= LOOKS_AT_MOST);
    for (const letter of letters) {
      if (isWorn) await renew(queue, letter);
      else channel.nack(letter, false, true);
    }
    await carriedOut(queue);
  }

  /** Should the connection break in between, the letter is there twice, which is harmless. */
  async function renew(queue: QueueName, letter: GetMessage): Promise<void> {
    const { type, headers = {} } = letter.properties as { type: string; headers?: Record<string, unknown> };
    const kept = Object.fromEntries(Object.entries(headers).filter(([key]) => !counters.has(key)));
    const destination = { exchange: name.deadLetterExchange, routingKey: name.queue(queue) };
    await publishConfirmed(channel, destination, letter.content, { type, headers: kept });
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
      // A letter that fails again comes back behind these at once, and would be replayed until `atMost`.
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
      await carriedOut(queue);
      return replayed;
    },
  };
}

function describe(queue: QueueName, { properties, content }: GetMessage): DeadLetter {
  const headers = properties.headers ?? {};
  const reason = headers[DEAD_LETTER_REASON] ?? headers['x-first-death-reason'] ?? 'unknown';
  return { queue, type: String(properties.type), reason: String(reason), body: content.toString() };
}
