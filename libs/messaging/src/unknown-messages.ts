import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { meter, type Logger } from '@saleschannel/runtime';
import { publishConfirmed } from './confirmed.ts';
import { names, type QueueName } from './topology.ts';

/**
 * Messages of types that this release does not know. While a new release is rolled out, or after it was taken back,
 * such messages are in the queue and meant for a replica that knows them. They are neither dropped nor dead letters:
 * each waits in a queue of its own for a while and then comes back, and the messages behind it go on.
 */
export class UnknownMessages {
  readonly #namespace: string;
  readonly #queue: QueueName;
  readonly #logger: Logger;
  readonly #seen = new Set<string>();
  readonly #counter = meter().createCounter('messages_unknown_total', {
    description: 'Messages of a type that this release does not know',
  });

  constructor(options: { namespace: string; queue: QueueName; logger: Logger }) {
    this.#namespace = options.namespace;
    this.#queue = options.queue;
    this.#logger = options.logger;
  }

  /**
   * Makes the message wait. One that cannot be put there stays unacknowledged and comes again when the channel ends.
   */
  leaveAlone(channel: ConfirmChannel, message: ConsumeMessage, type: string): void {
    const name = names(this.#namespace);
    const queue = name.queue(this.#queue);
    this.#counter.add(1, { queue });
    if (!this.#seen.has(type)) {
      this.#seen.add(type);
      this.#logger.warn({ queue, type }, 'this release does not know a type of message and leaves it to others');
    }
    const waiting = { exchange: name.deadLetterExchange, routingKey: name.unknownQueue(this.#queue) };
    const headers = message.properties.headers ?? {};
    publishConfirmed(channel, waiting, message.content, { type, headers }).then(
      () => channel.ack(message),
      (error: unknown) => this.#logger.warn({ err: error, queue }, 'a message of an unknown type cannot be left alone'),
    );
  }
}
