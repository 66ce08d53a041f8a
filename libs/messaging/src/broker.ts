import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { env, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { toConnectionOptions, closeGracefully } from './amqp.ts';
import { connectInProcess, IN_PROCESS, isInProcess } from './in-process-broker.ts';
import { declareExchanges, type QueueArguments } from './topology.ts';

export const brokerEnvironment = {
  AMQP_URL: env.url('URL of RabbitMQ with the user of this service, or in-process:<name> to run without RabbitMQ', {
    secret: true,
    protocols: ['amqp:', 'amqps:', IN_PROCESS],
  }),
  AMQP_CA_FILE: env.optional(
    env.text('file with the CA certificates to trust for RabbitMQ; the public CAs when unset'),
  ),
  AMQP_NAMESPACE: env.text('prefix of the names of exchanges and queues', { default: 'saleschannel' }),
} satisfies Environment;

export interface BrokerOptions {
  url: string;
  namespace: string;
  /** Shown in the broker's list of connections. */
  service: string;
  logger: Logger;
  /** The connection counts as lost after two to three times this long without a frame. */
  heartbeatSeconds?: number;
}

/** Called with a new confirm channel after every connection, and after an error closed the previous channel. */
export type ChannelSetup = (channel: ConfirmChannel) => Promise<void>;

const RECONNECT_INITIAL_MS = 100;
const MAX_RECONNECT_MS = 2_000;
/** Grace period at the start, without warnings: a broker that starts together with its services takes longer. */
const START_GRACE_MS = 15_000;
const CHANNEL_RETRY_MS = 1_000;
const MAX_CHANNEL_RETRY_MS = 30_000;
/** AMQP 0-9-1, PRECONDITION_FAILED: the queue exists with other arguments. */
const PRECONDITION_FAILED = 406;

/** URL of RabbitMQ, with the CA file in the parameter that RabbitMQ's own clients use. */
export function brokerUrl(values: Pick<Values<typeof brokerEnvironment>, 'AMQP_URL' | 'AMQP_CA_FILE'>): string {
  if (values.AMQP_CA_FILE === undefined) return values.AMQP_URL;
  const address = new URL(values.AMQP_URL);
  address.searchParams.set('cacertfile', values.AMQP_CA_FILE);
  return address.href;
}

/** One connection to RabbitMQ, which reconnects by itself. Services start and answer without a broker. */
export class Broker implements Part {
  readonly namespace: string;
  readonly #options: BrokerOptions;
  readonly #logger: Logger;
  readonly #setups: ChannelSetup[] = [];
  #connection: RecoveringChannelModel | undefined;
  #current: ChannelModel | undefined;
  #isStopped = false;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#logger = options.logger;
    this.namespace = options.namespace;
  }

  /** Whether the broker runs in this process, where a confirm means that consumers are done. */
  get isInProcess(): boolean {
    return isInProcess(this.#options.url);
  }

  /** Registers a user of the broker before the start. Each gets its own channel. */
  use(setup: ChannelSetup): void {
    this.#setups.push(setup);
  }

  /** Returns whether a queue exists, and false while the broker is unreachable. Needs no permission on the queue. */
  async hasQueue(queue: string): Promise<boolean> {
    try {
      await this.#onOwnChannel((channel) => channel.checkQueue(queue));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Declares a durable queue. A queue that exists with other arguments, of another release or an operator, is used as
   * it is: arguments of a queue cannot be changed, and refusing to run would not help.
   */
  async declareQueue(queue: string, queueArguments: QueueArguments): Promise<void> {
    try {
      const options = { durable: true, arguments: queueArguments };
      await this.#onOwnChannel((channel) => channel.assertQueue(queue, options));
    } catch (error) {
      if ((error as { code?: unknown }).code !== PRECONDITION_FAILED) throw error;
      this.#logger.error(
        { err: error, queue },
        'a queue has other arguments than this release declares; using it as it is',
      );
    }
  }

  /** Runs a request on a channel of its own, because the broker closes the channel of a failed request. */
  async #onOwnChannel(work: (channel: Channel) => Promise<unknown>): Promise<void> {
    if (!this.#current) throw new Error('there is no connection to RabbitMQ');
    const channel = await this.#current.createChannel();
    channel.on('error', () => undefined);
    await work(channel);
    await closeGracefully(channel);
  }

  async start(): Promise<void> {
    const { url, service, heartbeatSeconds } = this.#options;
    if (this.isInProcess) {
      void this.#attachAll(connectInProcess(url)).catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'broker'),
      );
      return;
    }
    const { address, options } = toConnectionOptions(url, heartbeatSeconds);
    this.#connection = await connect(address, {
      ...options,
      clientProperties: { connection_name: service },
      recovery: {
        initialDelay: RECONNECT_INITIAL_MS,
        maxDelay: MAX_RECONNECT_MS,
        maxRetries: Infinity,
        waitForConnect: false,
        setup: (model: ChannelModel) => this.#attachAll(model),
      },
    });
    this.#report(this.#connection);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const current = this.#current;
    this.#current = undefined;
    // If amqplib were closed while it connects, the new connection would have no error listener. So the attempt ends
    // first, and `#attachAll` or 'connect-failed' closes.
    if (!current) return;
    const end = new Promise<void>((resolve) => current.once('close', resolve));
    await Promise.race([end, (this.#connection ?? current).close().catch(() => undefined)]);
  }

  #report(connection: RecoveringChannelModel): void {
    connection.on('handler-error', (error: Error) =>
      this.#logger.error({ err: error }, 'a connection listener failed'),
    );
    const startedAt = performance.now();
    connection.on('connect-failed', (error) => {
      if (this.#isStopped) return void connection.close();
      const isStarting = !this.#current && performance.now() - startedAt < START_GRACE_MS;
      this.#logger[isStarting ? 'debug' : 'warn'](`RabbitMQ is unreachable: ${error.message}`);
    });
    connection.on('disconnect', (error) =>
      this.#logger.warn(`RabbitMQ connection lost: ${error?.message ?? 'closed'}`),
    );
    connection.on('error', (error) => this.#logger.warn(`RabbitMQ: ${error.message}`));
  }

  async #attachAll(model: ChannelModel): Promise<void> {
    // No other listener exists during setup, and an unhandled error event would end the process.
    model.on('error', () => undefined);
    if (this.#isStopped) return this.#connection?.close();
    this.#current = model;
    const isGone = (): boolean => this.#current !== model;
    const end = new Promise<void>((resolve) =>
      model.once('close', () => {
        // At once, because users whose calls failed with the connection read it next.
        if (!isGone()) this.#current = undefined;
        resolve();
      }),
    );
    // amqplib reconnects after this returns, so a pending reply must not block it.
    await Promise.race([end, Promise.all(this.#setups.map((setup) => this.#attach(model, setup)))]);
    if (isGone()) throw new Error('the connection was lost during setup');
  }

  /**
   * Gives one user its channel, and another one whenever an error closes it, until the connection is lost. A failed
   * setup is retried without affecting other users.
   */
  async #attach(model: ChannelModel, setup: ChannelSetup, retryMs = CHANNEL_RETRY_MS): Promise<void> {
    let nextMs = Math.min(retryMs * 2, MAX_CHANNEL_RETRY_MS);
    let channel: ConfirmChannel | undefined;
    try {
      channel = await model.createConfirmChannel();
      channel.on('handler-error', (error: Error) => this.#logger.error({ err: error }, 'a channel listener failed'));
      channel.on('error', (error) =>
        this.#logger.warn({ err: error }, 'the broker closed a channel because of an error'),
      );
      channel.once('close', () => void this.#attachAgain(model, setup, retryMs, nextMs));
      await declareExchanges(channel, this.namespace);
      await setup(channel);
      nextMs = CHANNEL_RETRY_MS;
    } catch (error) {
      if (this.#isStopped || this.#current !== model) return;
      this.#logger.error({ err: error }, `cannot set up a channel; retrying in ${retryMs} ms`);
      // The 'close' event starts the next attempt. An error may have closed the channel already.
      if (channel) await closeGracefully(channel);
    }
  }

  async #attachAgain(model: ChannelModel, setup: ChannelSetup, waitMs: number, retryMs: number): Promise<void> {
    await delay(waitMs, undefined, { ref: false });
    if (this.#isStopped || this.#current !== model) return;
    await this.#attach(model, setup, retryMs);
  }
}

/** Creates the broker connection that a service's environment describes. */
export const createServiceBroker = (
  service: string,
  values: Values<typeof brokerEnvironment>,
  logger: Logger,
): Broker => new Broker({ url: brokerUrl(values), namespace: values.AMQP_NAMESPACE, service, logger });
