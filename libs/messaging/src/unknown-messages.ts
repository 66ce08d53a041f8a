import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { meter, type Logger } from '@saleschannel/runtime';
import { publishConfirmed } from './confirmed.ts';
import { declareUnknownQueue, names, type QueueName } from './topology.ts';

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
  readonly #declared = new WeakMap<ConfirmChannel, Promise<void>>();
  readonly #counter = meter().createCounter('messages_unknown_total', {
    description: 'Messages of a type that this release does not know',
  });

  constructor(options: { namespace: string; queue: QueueName; logger: Logger }) {
    this.#namespace = options.namespace;
    this.#queue = options.queue;
    this.#logger = options.logger;
  }

  /** Makes the message wait. If that fails, it stays unacknowledged and comes again when the channel ends. */
  leaveAlone(channel: ConfirmChannel, message: ConsumeMessage, type: string): void {
    const queue = names(this.#namespace).queue(this.#queue);
    this.#counter.add(1, { queue });
    if (!this.#seen.has(type)) {
      this.#seen.add(type);
      this.#logger.warn(
        { queue, type },
        'this release does not know this type of message; it waits for a replica that does',
      );
    }
    this.#putAside(channel, message, type).then(
      () => channel.ack(message),
      (error: unknown) =>
        this.#logger.warn({ err: error, queue }, 'a message of an unknown type cannot be put into its waiting queue'),
    );
  }

  async #putAside(channel: ConfirmChannel, message: ConsumeMessage, type: string): Promise<void> {
    const name = names(this.#namespace);
    await this.#declare(channel);
    const waiting = { exchange: name.deadLetterExchange, routingKey: name.unknownQueue(this.#queue) };
    await publishConfirmed(channel, waiting, message.content, { type, headers: message.properties.headers ?? {} });
  }

  #declare(channel: ConfirmChannel): Promise<void> {
    const known = this.#declared.get(channel);
    if (known) return known;
    const declared = declareUnknownQueue(channel, this.#namespace, this.#queue);
    this.#declared.set(channel, declared);
    return declared;
  }
}
