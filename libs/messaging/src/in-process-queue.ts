import type { ConsumeMessage, Options } from 'amqplib';
import type { QueueArguments } from './topology.ts';

/** A part of a message that one consumer will never handle, with the reason. */
interface RefusedPart {
  /** The queue's name on the broker. */
  readonly queue: string;
  readonly content: Buffer;
  readonly reason: string;
}

/** All consumers are done with a message, but refused these parts, which would be dead letters on RabbitMQ. */
export class RefusedByConsumersError extends Error {
  override name = 'RefusedByConsumersError';
  readonly parts: readonly RefusedPart[];

  constructor(parts: readonly RefusedPart[]) {
    super(parts.map(({ queue, reason }) => `${queue}: ${reason}`).join('; '));
    this.parts = parts;
  }

  /** Returns an envelope of the refused entries, each once, or the whole body if a part is not an envelope. */
  toRefusedBody(whole: string): string {
    const entries = new Set<string>();
    try {
      for (const { content } of this.parts) {
        const envelope = JSON.parse(content.toString()) as { entries: unknown[] };
        for (const entry of envelope.entries) entries.add(JSON.stringify(entry));
      }
    } catch {
      return whole;
    }
    return `{"entries":[${[...entries].join(',')}]}`;
  }
}

/** One published message and its copies. Confirmed when every consumer that received one of them is done. */
export class Publication {
  readonly #confirm: (error?: Error) => void;
  readonly #parts: RefusedPart[] = [];
  #pending = 0;
  #isOver = false;

  constructor(confirm: (error?: Error) => void) {
    this.#confirm = confirm;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  add(): void {
    this.#pending++;
  }

  /** Records a part that no consumer will ever handle. */
  refuse(part: RefusedPart): void {
    this.#parts.push(part);
  }

  done(): void {
    this.#pending--;
    if (this.#pending === 0) this.#end(this.#parts.length > 0 ? new RefusedByConsumersError(this.#parts) : undefined);
  }

  /** Ends a publication whose publisher disconnected. Messages not delivered yet are no longer delivered. */
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
  /** Position in the queue, kept when the message returns. */
  position: number;
  /** Number of returns. */
  returns: number;
}

export interface QueueConsumer {
  readonly tag: string;
  /** Unlimited if 0. */
  readonly prefetch: number;
  readonly noAck: boolean;
  /** Number of unacknowledged messages. */
  held: number;
  /** Receives null when the queue is deleted. */
  deliver(message: QueuedMessage | null): void;
}

interface QueueOptions {
  readonly name: string;
  readonly queueArguments: QueueArguments;
  /** Sends an unhandled message to the dead letter exchange of the queue's arguments. */
  deadLetter(queue: InProcessQueue, message: QueuedMessage, reason: string): void;
}

/** An in-memory queue, with the RabbitMQ arguments that this system uses. */
export class InProcessQueue {
  readonly name: string;
  readonly queueArguments: QueueArguments;
  readonly consumers: QueueConsumer[] = [];
  readonly #options: QueueOptions;
  #ready: QueuedMessage[] = [];
  #lastPosition = 0;
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
    message.position = ++this.#lastPosition;
    this.#ready.push(message);
    const ttlMs = Number(message.properties.expiration ?? this.queueArguments['x-message-ttl']);
    if (Number.isFinite(ttlMs)) setTimeout(() => this.#expire(message), ttlMs).unref();
    this.dispatch();
  }

  /** Returns delivered, unhandled messages to their positions. */
  returnMessages(messages: readonly QueuedMessage[]): void {
    const limit = Number(this.queueArguments['x-delivery-limit'] ?? Infinity);
    for (const message of messages) {
      if (message.publication.isOver) continue;
      message.returns++;
      if (message.returns > limit) this.#options.deadLetter(this, message, 'delivery_limit');
      else this.#ready.push(message);
    }
    this.#ready.sort((one, other) => one.position - other.position);
    if (this.#isOver) this.purge();
    this.dispatch();
  }

  /** Drops messages of disconnected publishers. */
  sweep(): void {
    this.#ready = this.#ready.filter(({ publication }) => !publication.isOver);
  }

  /** Drops waiting messages, and fails their publications. Returns how many. */
  purge(): number {
    const purged = this.#ready.splice(0);
    for (const { publication } of purged) publication.abandon(new Error('the queue was purged'));
    return purged.length;
  }

  /** Ends the queue and notifies its consumers. Returns how many messages waited. */
  end(): number {
    this.#isOver = true;
    const count = this.purge();
    for (const consumer of this.consumers.splice(0)) consumer.deliver(null);
    return count;
  }

  take(): QueuedMessage | undefined {
    return this.#ready.shift();
  }

  /** Delivers messages to consumers with free prefetch, in a later microtask, so that none runs inside a publish. */
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

  /** Returns the next consumer with free prefetch: round-robin, or only the first with a single active consumer. */
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
    const index = this.#ready.indexOf(message);
    if (index === -1) return;
    this.#ready.splice(index, 1);
    this.#options.deadLetter(this, message, 'expired');
  }
}

/** Converts a message to amqplib's form. */
export function toConsumeMessage(message: QueuedMessage, deliveryTag: number, consumerTag: string): ConsumeMessage {
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
