import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ConfirmChannel, ConsumeMessage, GetMessage, Message, Options } from 'amqplib';
import type { InProcessBroker } from './in-process-broker.ts';
import {
  Publication,
  toConsumeMessage,
  type InProcessQueue,
  type QueueConsumer,
  type QueuedMessage,
} from './in-process-queue.ts';

type Confirm = (error: Error, ok: object) => void;

/** Options of a publish beyond those of AMQP. amqplib ignores them. */
export interface CopyProperties extends Options.Publish {
  /** The delivered message that this one replaces. Its publisher gets the confirm when both are done. */
  readonly replaces?: Message;
}

interface Delivered {
  readonly queue: InProcessQueue;
  readonly consumer: QueueConsumer | undefined;
  readonly message: QueuedMessage;
}

interface Connection {
  readonly stream: { destroy(): void };
}

/** amqplib passes null without an error, unlike its types. */
const none = null as unknown as Error;

/** AMQP 0-9-1: the queue or exchange does not exist. */
const NOT_FOUND = 404;

type ImplementedMethod =
  | 'ack'
  | 'assertExchange'
  | 'assertQueue'
  | 'bindQueue'
  | 'cancel'
  | 'checkQueue'
  | 'close'
  | 'consume'
  | 'deleteExchange'
  | 'deleteQueue'
  | 'get'
  | 'nack'
  | 'prefetch'
  | 'publish'
  | 'purgeQueue'
  | 'sendToQueue'
  | 'unbindQueue';

/** The part of amqplib's channel that this system uses, on an in-process broker. */
export class InProcessChannel extends EventEmitter implements Pick<ConfirmChannel, ImplementedMethod> {
  readonly connection: Connection;
  readonly #broker: InProcessBroker;
  readonly #publications = new Set<Publication>();
  readonly #consumers = new Map<string, { readonly queue: InProcessQueue; readonly consumer: QueueConsumer }>();
  readonly #delivered = new Map<number, Delivered>();
  #lastTag = 0;
  #prefetch = 0;
  #isClosed = false;

  constructor(broker: InProcessBroker, connection: Connection) {
    super();
    this.#broker = broker;
    this.connection = connection;
  }

  prefetch(count: number): Promise<never> {
    this.#prefetch = count;
    return this.#answer({});
  }

  assertExchange(exchange: string): Promise<{ exchange: string }> {
    this.#broker.declareExchange(exchange);
    return this.#answer({ exchange });
  }

  assertQueue(name = '', options: Options.AssertQueue = {}): Promise<never> {
    const queue = this.#broker.declareQueue(name, (options.arguments ?? {}) as Record<string, unknown>);
    if (options.exclusive) this.once('close', () => this.#broker.deleteQueue(name));
    return this.#answer({ queue: queue.name, ...toState(queue) });
  }

  checkQueue(name: string): Promise<never> {
    const queue = this.#broker.findQueue(name);
    return queue ? this.#answer({ queue: name, ...toState(queue) }) : this.#fail(`no queue '${name}'`);
  }

  deleteQueue(name: string): Promise<never> {
    return this.#answer({ messageCount: this.#broker.deleteQueue(name) });
  }

  purgeQueue(name: string): Promise<never> {
    return this.#answer({ messageCount: this.#broker.findQueue(name)?.purge() ?? 0 });
  }

  deleteExchange(exchange: string): Promise<never> {
    this.#broker.deleteExchange(exchange);
    return this.#answer({});
  }

  bindQueue(queue: string, exchange: string, key: string): Promise<never> {
    return this.#broker.bind(queue, exchange, key) ? this.#answer({}) : this.#fail(`no '${queue}' or '${exchange}'`);
  }

  unbindQueue(queue: string, exchange: string, key: string): Promise<never> {
    this.#broker.unbind(queue, exchange, key);
    return this.#answer({});
  }

  consume(
    name: string,
    onMessage: (message: ConsumeMessage | null) => void,
    options: Options.Consume = {},
  ): Promise<never> {
    const queue = this.#broker.findQueue(name);
    if (!queue) return this.#fail(`no queue '${name}'`);
    const tag = options.consumerTag ?? randomUUID();
    // Without it, metrics, spans and deadlines would be those of the publishing service.
    const runAsConsumer = AsyncLocalStorage.snapshot();
    const consumer: QueueConsumer = {
      tag,
      prefetch: this.#prefetch,
      noAck: options.noAck === true,
      held: 0,
      deliver: (message) => {
        try {
          const consumed = message && toConsumeMessage(message, this.#remember(queue, consumer, message), tag);
          runAsConsumer(onMessage, consumed);
        } catch (error) {
          this.emit('handler-error', error);
        }
      },
    };
    this.#consumers.set(tag, { queue, consumer });
    queue.consumers.push(consumer);
    queue.dispatch();
    return this.#answer({ consumerTag: tag });
  }

  cancel(tag: string): Promise<never> {
    const known = this.#consumers.get(tag);
    this.#consumers.delete(tag);
    if (known) removeConsumer(known.queue, known.consumer);
    return this.#answer({ consumerTag: tag });
  }

  get(name: string, options: Options.Get = {}): Promise<GetMessage | false> {
    const queue = this.#broker.findQueue(name);
    if (!queue) return this.#fail(`no queue '${name}'`);
    const message = queue.take();
    if (!message) return Promise.resolve(false);
    const tag = options.noAck ? 0 : this.#remember(queue, undefined, message);
    if (options.noAck) message.publication.done();
    return Promise.resolve(toConsumeMessage(message, tag, '') as unknown as GetMessage);
  }

  ack({ fields }: Message): void {
    const delivered = this.#delivered.get(fields.deliveryTag);
    if (!delivered) return;
    this.#forget(fields.deliveryTag, delivered);
    delivered.message.publication.done();
  }

  /** Returns a message to its queue. Consumers publish refused messages to the dead letter exchange instead. */
  nack({ fields }: Message): void {
    const delivered = this.#delivered.get(fields.deliveryTag);
    if (!delivered) return;
    this.#forget(fields.deliveryTag, delivered);
    delivered.queue.returnMessages([delivered.message]);
  }

  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    options: CopyProperties = {},
    confirm?: Confirm,
  ): boolean {
    const { replaces, ...properties } = options;
    const message = { exchange, routingKey, content, properties };
    if (this.#isClosed) this.#reject(confirm);
    else if (replaces) this.#publishCopy(message, replaces, confirm);
    else this.#publishFirst(message, confirm);
    return true;
  }

  sendToQueue(queue: string, content: Buffer, options?: CopyProperties, confirm?: Confirm): boolean {
    return this.publish('', queue, content, options, confirm);
  }

  /** Returns delivered messages to their queues, and withdraws published messages that were not delivered. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    for (const { queue, consumer } of this.#consumers.values()) removeConsumer(queue, consumer);
    const error = new Error('the channel was closed');
    for (const publication of this.#publications) publication.abandon(error);
    this.#broker.sweep();
    const byQueue = Map.groupBy(this.#delivered.values(), ({ queue }) => queue);
    this.#delivered.clear();
    for (const [queue, deliveries] of byQueue) queue.returnMessages(deliveries.map(({ message }) => message));
    this.emit('close');
    return Promise.resolve();
  }

  #publishFirst(message: Parameters<InProcessBroker['route']>[0], confirm?: Confirm): void {
    const publication: Publication = new Publication((error) => {
      this.#publications.delete(publication);
      queueMicrotask(() => confirm?.(error ?? none, {}));
    });
    const reached = this.#broker.route(message, publication);
    if (reached === 0 && message.properties.mandatory) this.emit('return', { properties: message.properties });
    if (!publication.isOver) this.#publications.add(publication);
  }

  /** Confirms at once, because the row of the original stays in the outbox until the copy is done too. */
  #publishCopy(message: Parameters<InProcessBroker['route']>[0], { fields }: Message, confirm?: Confirm): void {
    const delivered = this.#delivered.get(fields.deliveryTag);
    if (!delivered) return this.#reject(confirm);
    if (this.#broker.route(message, delivered.message.publication) === 0)
      this.emit('return', { properties: message.properties });
    queueMicrotask(() => confirm?.(none, {}));
  }

  #reject(confirm?: Confirm): void {
    queueMicrotask(() => confirm?.(new Error('the channel was closed'), {}));
  }

  #remember(queue: InProcessQueue, consumer: QueueConsumer | undefined, message: QueuedMessage): number {
    const tag = ++this.#lastTag;
    if (!consumer?.noAck) this.#delivered.set(tag, { queue, consumer, message });
    return tag;
  }

  #forget(tag: number, { queue, consumer }: Delivered): void {
    this.#delivered.delete(tag);
    if (consumer) consumer.held--;
    queue.dispatch();
  }

  /** Has the return type of amqplib's methods. */
  #answer(answer: object): Promise<never> {
    return this.#isClosed ? Promise.reject(new Error('the channel was closed')) : Promise.resolve(answer as never);
  }

  /** Closes the channel, as a broker does after a failed request. */
  #fail(detail: string): Promise<never> {
    const error = Object.assign(new Error(`NOT_FOUND - ${detail}`), { code: NOT_FOUND });
    if (this.listenerCount('error') > 0) this.emit('error', error);
    void this.close();
    return Promise.reject(error);
  }
}

const toState = ({ messageCount, consumers }: InProcessQueue) => ({ messageCount, consumerCount: consumers.length });

function removeConsumer(queue: InProcessQueue, consumer: QueueConsumer): void {
  const index = queue.consumers.indexOf(consumer);
  if (index !== -1) queue.consumers.splice(index, 1);
  queue.dispatch();
}
