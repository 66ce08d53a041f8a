import { EventEmitter } from 'node:events';
import type { ChannelModel, Options } from 'amqplib';
import { InProcessChannel } from './in-process-channel.ts';
import { InProcessQueue, type Publication, type QueuedMessage } from './in-process-queue.ts';
import { DEAD_LETTER_REASON, isDeadLetterQueue, type QueueArguments } from './topology.ts';

/** Scheme of the URL of a broker inside the process: `in-process:<name>`. */
export const IN_PROCESS = 'in-process:';

export const isInProcess = (url: string): boolean => url.startsWith(IN_PROCESS);

interface Given {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly properties: Options.Publish;
}

/**
 * Stands in for RabbitMQ where it is not installed: for the services of one process. A publish is confirmed when the
 * consumers of all its queues are done, so the row stays in the outbox until then, and a crash loses nothing. It holds
 * no dead letters: the parts of a message that its consumers refuse for good come back with the confirm, and the relay
 * sets them aside in the database of the publisher.
 *
 * It is written by hand because there is no broker for Node that runs inside a process and hands confirms through.
 */
export class InProcessBroker {
  readonly #queues = new Map<string, InProcessQueue>();
  /** Queues by routing key, by exchange. Nothing binds with a pattern. */
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

  /** A queue that exists is taken as it is. */
  declareQueue(name: string, queueArguments: QueueArguments): InProcessQueue {
    const known = this.#queues.get(name);
    if (known) return known;
    const deadLetter = this.#deadLetter.bind(this);
    const queue = new InProcessQueue({ name, queueArguments, deadLetter });
    this.#queues.set(name, queue);
    return queue;
  }

  /** Returns how many messages it had. */
  deleteQueue(name: string): number {
    const queue = this.#queues.get(name);
    if (!queue) return 0;
    this.#queues.delete(name);
    for (const bindings of this.#exchanges.values()) for (const bound of bindings.values()) bound.delete(name);
    return queue.end();
  }

  /** Returns false when one of the two is not there. */
  bind(queue: string, exchange: string, key: string): boolean {
    const bindings = this.#exchanges.get(exchange);
    if (!bindings || !this.#queues.has(queue)) return false;
    bindings.set(key, (bindings.get(key) ?? new Set()).add(queue));
    return true;
  }

  unbind(queue: string, exchange: string, key: string): void {
    this.#exchanges.get(exchange)?.get(key)?.delete(queue);
  }

  /** Puts a message into every queue that it reaches. Returns how many these are. */
  route(given: Given, publication: Publication): number {
    const { exchange, routingKey, content, properties } = given;
    const bound = exchange === '' ? [routingKey] : (this.#exchanges.get(exchange)?.get(routingKey) ?? []);
    const queues = [...bound].flatMap((name) => this.#queues.get(name) ?? []);
    // All count before the first one ends.
    publication.add();
    for (const queue of queues) {
      if (isDeadLetterQueue(queue.name)) {
        const reason = String((properties.headers as Record<string, unknown> | undefined)?.[DEAD_LETTER_REASON]);
        publication.refuse({ queue: routingKey, content, reason });
      } else queue.put({ ...given, publication, place: 0, returns: 0 });
    }
    publication.done();
    return queues.length;
  }

  /** Forgets messages whose publisher is gone. */
  sweep(): void {
    for (const queue of this.#queues.values()) queue.sweep();
  }

  #deadLetter(queue: InProcessQueue, message: QueuedMessage, reason: string): void {
    const { content, publication, properties } = message;
    const { 'x-dead-letter-exchange': exchange, 'x-dead-letter-routing-key': routingKey } = queue.queueArguments;
    const { expiration: _expired, ...kept } = properties;
    const headers = { ...(properties.headers as object | undefined), [DEAD_LETTER_REASON]: reason };
    const given = { exchange: String(exchange), routingKey: String(routingKey), content };
    const isExpired = reason === 'expired';
    const reached = this.route({ ...given, properties: isExpired ? kept : { ...kept, headers } }, publication);
    if (reached === 0) publication.refuse({ queue: queue.name, content, reason });
    publication.done();
  }
}

/** A connection, as amqplib has it. */
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

/** All services of this process that name the same broker share it. */
const brokers = new Map<string, InProcessBroker>();

export function connectInProcess(url: string): ChannelModel {
  const { pathname: name } = new URL(url);
  const broker = brokers.get(name) ?? new InProcessBroker();
  brokers.set(name, broker);
  return broker.connect();
}
