import type { ConsumeMessage, Options } from 'amqplib';
import type { RefusedPart } from './refused-by-consumers.ts';
import { RefusedByConsumersError } from './refused-by-consumers.ts';
import type { QueueArguments } from './topology.ts';

/** One publish and its copies. Confirmed when every consumer that got one of them is done. */
export class Publication {
  readonly #confirm: (error?: Error) => void;
  readonly #parts: RefusedPart[] = [];
  #left = 0;
  #isOver = false;

  constructor(confirm: (error?: Error) => void) {
    this.#confirm = confirm;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  add(): void {
    this.#left++;
  }

  /** A part that no consumer will ever handle. */
  refuse(part: RefusedPart): void {
    this.#parts.push(part);
  }

  done(): void {
    this.#left--;
    if (this.#left === 0) this.#end(this.#parts.length > 0 ? new RefusedByConsumersError(this.#parts) : undefined);
  }

  /** Its publisher is gone. What nobody has begun is not to be begun. */
  abandon(error: Error): void {
    this.#end(error);
  }

  #end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#confirm(error);
  }
}

/** A message in one queue. */
export interface QueuedMessage {
  readonly publication: Publication;
  readonly content: Buffer;
  readonly exchange: string;
  readonly routingKey: string;
  readonly properties: Options.Publish;
  /** Its place in the queue, which it keeps when it comes back. */
  place: number;
  /** How often it came back. */
  returns: number;
}

export interface QueueConsumer {
  readonly tag: string;
  /** Unlimited if 0. */
  readonly prefetch: number;
  readonly noAck: boolean;
  /** How many messages it has not acknowledged. */
  held: number;
  /** Gets null when the queue is deleted. */
  deliver(message: QueuedMessage | null): void;
}

interface QueueOptions {
  readonly name: string;
  readonly queueArguments: QueueArguments;
  /** Sends a message that was not handled to the exchange that the arguments name. */
  deadLetter(queue: InProcessQueue, message: QueuedMessage, reason: string): void;
}

/** A queue in memory, with as much of RabbitMQ's arguments as this system uses. */
export class InProcessQueue {
  readonly name: string;
  readonly queueArguments: QueueArguments;
  readonly consumers: QueueConsumer[] = [];
  readonly #options: QueueOptions;
  #ready: QueuedMessage[] = [];
  #lastPlace = 0;
  #isDispatching = false;
  #isOver = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.name = options.name;
    this.queueArguments = options.queueArguments;
  }

  get messageCount(): number {
    return this.#ready.length;
  }

  put(message: QueuedMessage): void {
    message.publication.add();
    message.place = ++this.#lastPlace;
    this.#ready.push(message);
    const ttlMs = Number(message.properties.expiration ?? this.queueArguments['x-message-ttl']);
    if (Number.isFinite(ttlMs)) setTimeout(() => this.#expire(message), ttlMs).unref();
    this.dispatch();
  }

  /** Messages that were delivered and not handled go back to their places. */
  giveBack(messages: readonly QueuedMessage[]): void {
    const limit = Number(this.queueArguments['x-delivery-limit'] ?? Infinity);
    for (const message of messages) {
      if (message.publication.isOver) continue;
      message.returns++;
      if (message.returns > limit) this.#options.deadLetter(this, message, 'delivery_limit');
      else this.#ready.push(message);
    }
    this.#ready.sort((one, other) => one.place - other.place);
    if (this.#isOver) this.purge();
    this.dispatch();
  }

  /** Forgets messages whose publisher is gone. */
  sweep(): void {
    this.#ready = this.#ready.filter(({ publication }) => !publication.isOver);
  }

  /** Throws away what waits. Returns how many messages that were. Their publishers hear that nobody handled them. */
  purge(): number {
    const purged = this.#ready.splice(0);
    for (const { publication } of purged) publication.abandon(new Error('the queue was purged'));
    return purged.length;
  }

  /** Ends the queue and tells its consumers. Returns how many messages waited. */
  end(): number {
    this.#isOver = true;
    const count = this.purge();
    for (const consumer of this.consumers.splice(0)) consumer.deliver(null);
    return count;
  }

  take(): QueuedMessage | undefined {
    return this.#ready.shift();
  }

  /** Hands messages to consumers that have room, after the work under way: publishers do not run consumers. */
  dispatch(): void {
    if (this.#isDispatching) return;
    this.#isDispatching = true;
    queueMicrotask(() => {
      this.#isDispatching = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    for (let consumer = this.#next(); consumer; consumer = this.#next()) {
      const message = this.#ready.shift();
      if (!message) return;
      if (!consumer.noAck) consumer.held++;
      consumer.deliver(message);
      if (consumer.noAck) message.publication.done();
    }
  }

  /** The consumer whose turn it is: consumers with room take turns, or the first one is the only one. */
  #next(): QueueConsumer | undefined {
    if (this.#ready.length === 0) return undefined;
    const candidates = this.queueArguments['x-single-active-consumer'] ? this.consumers.slice(0, 1) : this.consumers;
    const next = candidates.find(({ prefetch, held }) => prefetch === 0 || held < prefetch);
    if (next && candidates.length > 1) {
      this.consumers.splice(this.consumers.indexOf(next), 1);
      this.consumers.push(next);
    }
    return next;
  }

  #expire(message: QueuedMessage): void {
    const place = this.#ready.indexOf(message);
    if (place === -1) return;
    this.#ready.splice(place, 1);
    this.#options.deadLetter(this, message, 'expired');
  }
}

/** A message as amqplib hands it on. */
export function toConsumed(message: QueuedMessage, deliveryTag: number, consumerTag: string): ConsumeMessage {
  const { content, exchange, routingKey, properties, returns } = message;
  const headers = {
    ...(properties.headers as object | undefined),
    ...(returns > 0 && { 'x-delivery-count': returns }),
  };
  return {
    content,
    fields: { deliveryTag, redelivered: returns > 0, exchange, routingKey, consumerTag },
    properties: { ...properties, headers },
  } as unknown as ConsumeMessage;
}
