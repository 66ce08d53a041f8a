import { EventEmitter } from 'node:events';
import type { ChannelModel, Options } from 'amqplib';
import { InProcessChannel } from './in-process-channel.ts';
import { InProcessQueue, type Publication, type QueuedMessage } from './in-process-queue.ts';
import { DEAD_LETTER_REASON, isDeadLetterQueue, type QueueArguments } from './topology.ts';

/** URL scheme of an in-process broker: `in-process:<name>`. */
export const IN_PROCESS = 'in-process:';

export const isInProcess = (url: string): boolean => url.startsWith(IN_PROCESS);

interface RoutedMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly properties: Options.Publish;
}

/**
 * Replaces RabbitMQ for the services of one process. A publish is confirmed when the consumers of all its queues are
 * done, so the row stays in the outbox until then, and a crash loses nothing. It keeps no dead letters: parts of a
 * message that consumers refuse for good come back with the confirm, and the relay sets them aside in the publisher's
 * database.
 *
 * Written by hand because no broker for Node runs in a process and passes confirms through.
 */
export class InProcessBroker {
  readonly #queues = new Map<string, InProcessQueue>();
  /** Names of bound queues, by exchange and routing key. No binding has a pattern. */
  readonly #exchanges = new Map<string, Map<string, Set<string>>>();

  connect(): ChannelModel {
    return new InProcessConnection(this) as unknown as ChannelModel;
  }

  declareExchange(exchange: string): void {
    if (!this.#exchanges.has(exchange)) this.#exchanges.set(exchange, new Map());
  }

  deleteExchange(exchange: string): void {
    this.#exchanges.delete(exchange);
  }

  findQueue(name: string): InProcessQueue | undefined {
    return this.#queues.get(name);
  }

  /** Returns an existing queue unchanged. */
  declareQueue(name: string, queueArguments: QueueArguments): InProcessQueue {
    const known = this.#queues.get(name);
    if (known) return known;
    const deadLetter = this.#deadLetter.bind(this);
    const queue = new InProcessQueue({ name, queueArguments, deadLetter });
    this.#queues.set(name, queue);
    return queue;
  }

  /** Returns how many messages the queue had. */
  deleteQueue(name: string): number {
    const queue = this.#queues.get(name);
    if (!queue) return 0;
    this.#queues.delete(name);
    for (const bindings of this.#exchanges.values()) for (const bound of bindings.values()) bound.delete(name);
    return queue.end();
  }

  /** Returns false if the queue or the exchange does not exist. */
  bind(queue: string, exchange: string, key: string): boolean {
    const bindings = this.#exchanges.get(exchange);
    if (!bindings || !this.#queues.has(queue)) return false;
    bindings.set(key, (bindings.get(key) ?? new Set()).add(queue));
    return true;
  }

  unbind(queue: string, exchange: string, key: string): void {
    this.#exchanges.get(exchange)?.get(key)?.delete(queue);
  }

  /** Puts a message into every matching queue. Returns the number of queues. */
  route(message: RoutedMessage, publication: Publication): number {
    const { exchange, routingKey, content, properties } = message;
    const bound = exchange === '' ? [routingKey] : (this.#exchanges.get(exchange)?.get(routingKey) ?? []);
    const queues = [...bound].flatMap((name) => this.#queues.get(name) ?? []);
    // Counts one extra, so that a queue cannot complete the publication before the others have it.
    publication.add();
    for (const queue of queues) {
      if (isDeadLetterQueue(queue.name)) {
        const reason = String((properties.headers as Record<string, unknown> | undefined)?.[DEAD_LETTER_REASON]);
        publication.refuse({ queue: routingKey, content, reason });
      } else queue.put({ ...message, publication, position: 0, returns: 0 });
    }
    publication.done();
    return queues.length;
  }

  /** Drops messages of disconnected publishers. */
  sweep(): void {
    for (const queue of this.#queues.values()) queue.sweep();
  }

  #deadLetter(queue: InProcessQueue, message: QueuedMessage, reason: string): void {
    const { content, publication, properties } = message;
    const { 'x-dead-letter-exchange': exchange, 'x-dead-letter-routing-key': routingKey } = queue.queueArguments;
    const { expiration: _expired, ...unexpired } = properties;
    const headers = { ...(properties.headers as object | undefined), [DEAD_LETTER_REASON]: reason };
    const target = { exchange: String(exchange), routingKey: String(routingKey), content };
    const isExpired = reason === 'expired';
    const reached = this.route(
      { ...target, properties: isExpired ? unexpired : { ...unexpired, headers } },
      publication,
    );
    if (reached === 0) publication.refuse({ queue: queue.name, content, reason });
    publication.done();
  }
}

/** Implements amqplib's connection. */
class InProcessConnection extends EventEmitter {
  readonly connection = { stream: { destroy: (): void => void this.close() } };
  readonly #broker: InProcessBroker;
  readonly #channels = new Set<InProcessChannel>();

  constructor(broker: InProcessBroker) {
    super();
    this.#broker = broker;
  }

  createChannel(): Promise<InProcessChannel> {
    const channel = new InProcessChannel(this.#broker, this.connection);
    this.#channels.add(channel);
    channel.once('close', () => this.#channels.delete(channel));
    return Promise.resolve(channel);
  }

  createConfirmChannel(): Promise<InProcessChannel> {
    return this.createChannel();
  }

  async close(): Promise<void> {
    for (const channel of this.#channels) await channel.close();
    this.emit('close');
  }
}

/** Brokers by name, shared by the services of this process. */
const brokers = new Map<string, InProcessBroker>();

export function connectInProcess(url: string): ChannelModel {
  const { pathname: name } = new URL(url);
  const broker = brokers.get(name) ?? new InProcessBroker();
  brokers.set(name, broker);
  return broker.connect();
}
