import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { meter, type Logger } from '@saleschannel/runtime';
import { names, type Declarer, type QueueName } from './topology.ts';
import { WaitingQueue } from './waiting-queue.ts';

/**
 * Messages of types that this release does not know. While a new release is rolled out, or after it was taken back,
 * such messages are in the queue and meant for a replica that knows them. They are neither dropped nor dead letters:
 * each waits in a queue of its own for a while and then comes back, and the messages behind it go on.
 */
export class UnknownMessages {
  /** The name of the queue on the broker. */
  readonly #queue: string;
  readonly #logger: Logger;
  readonly #seen = new Set<string>();
  readonly #waiting: WaitingQueue;
  readonly #counter = meter().createCounter('saleschannel.messages.unknown', {
    description: 'Messages of a type unknown to this release',
  });

  constructor(options: { broker: Declarer; queue: QueueName; logger: Logger }) {
    this.#queue = names(options.broker.namespace).queue(options.queue);
    this.#logger = options.logger;
    this.#waiting = new WaitingQueue(options.broker, options.queue, 'unknown');
  }

  /** Makes the message wait. If that fails, it stays unacknowledged and comes again when the channel ends. */
  leaveAlone(channel: ConfirmChannel, message: ConsumeMessage, type: string): void {
    const queue = this.#queue;
    this.#counter.add(1, { queue });
    if (!this.#seen.has(type)) {
      this.#seen.add(type);
      this.#logger.warn(
        { queue, type },
        'this release does not know this type of message; it waits for a replica that does',
      );
    }
    const { headers } = message.properties;
    this.#waiting.put(channel, { content: message.content, type, headers, inPlaceOf: message }).then(
      () => channel.ack(message),
      (error: unknown) =>
        this.#logger.warn({ err: error, queue }, 'a message of an unknown type cannot be put into its waiting queue'),
    );
  }
}
