import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { publishConfirmed } from './confirmed.ts';
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
