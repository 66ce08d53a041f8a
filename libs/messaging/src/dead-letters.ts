import { connect, type ConfirmChannel, type GetMessage } from 'amqplib';
import { names, queues, type QueueName } from './topology.ts';

/** One parked message. */
export interface DeadLetter {
  queue: QueueName;
  type: string;
  reason: string;
  body: string;
}

const isQueueName = (name: string): name is QueueName => Object.hasOwn(queues, name);

/** For an operator: what lies among the dead letters, and putting it back. Needs a broker user who may read and write the queues. */
export async function withDeadLetters<T>(
  url: string,
  namespace: string,
  work: (deadLetters: DeadLetters) => Promise<T>,
): Promise<T> {
  const connection = await connect(url, { noDelay: true });
  // The call under way fails with the same error; without a listener the process would end instead, for instance when there is no such queue.
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
  /** Looks without taking: everything that was read is put back. */
  list(queue: QueueName, atMost: number): Promise<DeadLetter[]>;
  /** Hands dead letters to their queue again, each confirmed before it leaves the dead letters. Returns how many. */
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
        const reason = headers['x-parked-reason'] ?? headers['x-first-death-reason'] ?? 'unknown';
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
        await sendAgain(channel, name.queue(queue), message);
        channel.ack(message);
      }
      // The broker carries out an acknowledgement later than it reads it, and forgets the last one when the connection ends at once.
      await channel.checkQueue(name.deadLetterQueue(queue));
      return replayed;
    },
  };
}

/** @throws Error when the queue does not exist: the message stays among the dead letters */
function sendAgain(channel: ConfirmChannel, queue: string, message: GetMessage): Promise<void> {
  const { type, contentType } = message.properties as { type: string; contentType: string };
  return new Promise((resolve, reject) => {
    let isReturned = false;
    const onReturn = (): void => void (isReturned = true);
    channel.once('return', onReturn);
    channel.sendToQueue(queue, message.content, { type, contentType, persistent: true, mandatory: true }, (error) => {
      channel.off('return', onReturn);
      if (error) reject(error as Error);
      else if (isReturned) reject(new Error(`there is no queue ${queue}`));
      else resolve();
    });
  });
}

export { isQueueName };
