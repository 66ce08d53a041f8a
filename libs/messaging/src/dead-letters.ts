import { connect, type ConfirmChannel } from 'amqplib';
import { publishConfirmed } from './confirmed.ts';
import { names, type QueueName } from './topology.ts';

/** The header that says why a message is a dead letter. */
export const DEAD_LETTER_REASON = 'x-dead-letter-reason';

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
  const connection = await connect(url, { noDelay: true });
  // The call under way fails with the same error. Without a listener the process would end, for want of a queue for
  // instance.
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return await work(createDeadLetters(channel, namespace));
  } finally {
    await connection.close();
  }
}

export interface DeadLetters {
  /** Looks without taking: everything that was read stays. */
  list(queue: QueueName, atMost: number): Promise<DeadLetter[]>;
  /**
   * Hands dead letters to their queue again, each confirmed before it leaves the dead letters. Returns how many.
   * @throws Error when the queue does not exist: the message stays a dead letter
   */
  replay(queue: QueueName, atMost: number): Promise<number>;
}

function createDeadLetters(channel: ConfirmChannel, namespace: string): DeadLetters {
  const name = names(namespace);
  return {
    async list(queue, atMost) {
      const found: DeadLetter[] = [];
      let last;
      while (found.length < atMost) {
        const message = await channel.get(name.deadLetterQueue(queue));
        if (!message) break;
        last = message;
        const headers = message.properties.headers ?? {};
        const reason = headers[DEAD_LETTER_REASON] ?? headers['x-first-death-reason'] ?? 'unknown';
        found.push({
          queue,
          type: String(message.properties.type),
          reason: String(reason),
          body: message.content.toString(),
        });
      }
      if (last) channel.nack(last, true, true);
      return found;
    },
    async replay(queue, atMost) {
      let replayed = 0;
      for (; replayed < atMost; replayed++) {
        const message = await channel.get(name.deadLetterQueue(queue));
        if (!message) break;
        const { type } = message.properties as { type: string };
        await publishConfirmed(channel, name.endOf(queue), message.content, { type });
        channel.ack(message);
      }
      // The broker reads an acknowledgement before it carries it out, and forgets the last one when the connection ends
      // at once.
      await channel.checkQueue(name.deadLetterQueue(queue));
      return replayed;
    },
  };
}
