import { meter, type Logger } from '@saleschannel/runtime';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { publishConfirmed } from './amqp.ts';
import {
  declareWaitingQueue,
  brokerNames,
  type QueueDeclarer,
  type QueueName,
  type WaitingQueueKind,
} from './topology.ts';

/** A message for a waiting queue. */
export interface WaitingMessage {
  readonly content: Buffer;
  readonly type: string;
  readonly headers?: ConsumeMessage['properties']['headers'];
  /** The delivered message that contains it. */
  readonly inPlaceOf: ConsumeMessage;
}

/** A queue from which messages return to the consumer's queue after a fixed time. */
export class WaitingQueue {
  readonly #broker: QueueDeclarer;
  readonly #queue: QueueName;
  readonly #kind: WaitingQueueKind;
  readonly #declared = new WeakMap<ConfirmChannel, Promise<void>>();

  constructor(broker: QueueDeclarer, queue: QueueName, kind: WaitingQueueKind) {
    this.#broker = broker;
    this.#queue = queue;
    this.#kind = kind;
  }

  /**
   * Resolves when the broker has confirmed the message. Declares the queue on first use, because most systems never
   * need it.
   */
  async put(channel: ConfirmChannel, { content, type, headers, inPlaceOf }: WaitingMessage): Promise<void> {
    const name = brokerNames(this.#broker.namespace);
    await this.#declare(channel);
    const waiting = { exchange: name.deadLetterExchange, routingKey: name.waitingQueue(this.#queue, this.#kind) };
    await publishConfirmed(channel, waiting, content, { type, headers: headers ?? {}, replaces: inPlaceOf });
  }

  #declare(channel: ConfirmChannel): Promise<void> {
    const known = this.#declared.get(channel);
    if (known) return known;
    const declared = declareWaitingQueue(channel, this.#broker, this.#queue, this.#kind);
    this.#declared.set(channel, declared);
    return declared;
  }
}

/**
 * Messages of types that this release does not know. During a rollout, or after a rollback, the queue holds messages
 * for replicas of another release. They are neither dropped nor dead letters: each waits in a separate queue for a
 * while and then returns, and the messages behind it continue.
 */
export class UnknownMessages {
  /** The queue's name on the broker. */
  readonly #queue: string;
  readonly #logger: Logger;
  readonly #seen = new Set<string>();
  readonly #waiting: WaitingQueue;
  readonly #counter = meter().createCounter('saleschannel.messages.unknown', {
    description: 'Messages of a type unknown to this release',
  });

  constructor(options: { broker: QueueDeclarer; queue: QueueName; logger: Logger }) {
    this.#queue = brokerNames(options.broker.namespace).queue(options.queue);
    this.#logger = options.logger;
    this.#waiting = new WaitingQueue(options.broker, options.queue, 'unknown');
  }

  /** Moves the message to the waiting queue. If that fails, it is redelivered when the channel closes. */
  postpone(channel: ConfirmChannel, message: ConsumeMessage, type: string): void {
    const queue = this.#queue;
    this.#counter.add(1, { queue });
    if (!this.#seen.has(type)) {
      this.#seen.add(type);
      this.#logger.warn(
        { queue, type },
        'a message has a type unknown to this release; it waits for a replica that knows it',
      );
    }
    const { headers } = message.properties;
    this.#waiting.put(channel, { content: message.content, type, headers, inPlaceOf: message }).then(
      () => channel.ack(message),
      (error: unknown) =>
        this.#logger.warn({ err: error, queue }, 'cannot put a message of an unknown type into its waiting queue'),
    );
  }
}
