import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { publishConfirmed } from './confirmed.ts';
import { declareWaitingQueue, names, type Declarer, type QueueName, type WaitingQueueKind } from './topology.ts';

/** A message as it goes into a waiting queue. */
export interface WaitingMessage {
  readonly content: Buffer;
  readonly type: string;
  readonly headers?: ConsumeMessage['properties']['headers'];
  /** The message that it is a part of. */
  readonly inPlaceOf: ConsumeMessage;
}

/** A queue beside the consumer's own one, where messages wait for a while and then come back by themselves. */
export class WaitingQueue {
  readonly #broker: Declarer;
  readonly #queue: QueueName;
  readonly #kind: WaitingQueueKind;
  readonly #declared = new WeakMap<ConfirmChannel, Promise<void>>();

  constructor(broker: Declarer, queue: QueueName, kind: WaitingQueueKind) {
    this.#broker = broker;
    this.#queue = queue;
    this.#kind = kind;
  }

  /** Resolves when the broker has the message. Most systems never have one, so the queue is made when it is needed. */
  async put(channel: ConfirmChannel, { content, type, headers, inPlaceOf }: WaitingMessage): Promise<void> {
    const name = names(this.#broker.namespace);
    await this.#declare(channel);
    const waiting = { exchange: name.deadLetterExchange, routingKey: name.waitingQueue(this.#queue, this.#kind) };
    await publishConfirmed(channel, waiting, content, { type, headers: headers ?? {}, inPlaceOf });
  }

  #declare(channel: ConfirmChannel): Promise<void> {
    const known = this.#declared.get(channel);
    if (known) return known;
    const declared = declareWaitingQueue(channel, this.#broker, this.#queue, this.#kind);
    this.#declared.set(channel, declared);
    return declared;
  }
}
