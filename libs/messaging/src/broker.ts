import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { env, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { connectionTo } from './connection.ts';
import { goodbye } from './goodbye.ts';
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
  /** A broker that says nothing for two to three times as long is gone. */
  heartbeatSeconds?: number;
}

/** Called with a fresh confirm channel after every connection, and after a fault closed the channel. */
export type ChannelSetup = (channel: ConfirmChannel) => Promise<void>;

const RECONNECT_INITIAL_MS = 100;
const RECONNECT_AT_MOST_MS = 2_000;
/** A broker that starts together with its services takes longer than they do, and is not worth a warning. */
const START_TOGETHER_MS = 15_000;
const CHANNEL_RETRY_MS = 1_000;
const CHANNEL_RETRY_AT_MOST_MS = 30_000;
/** PRECONDITION_FAILED of AMQP 0-9-1: the queue exists with other arguments. */
const DECLARED_OTHERWISE = 406;

/** Where RabbitMQ is, and who vouches for it: with the parameter that RabbitMQ's own clients have for it. */
export function brokerUrl(values: Pick<Values<typeof brokerEnvironment>, 'AMQP_URL' | 'AMQP_CA_FILE'>): string {
  if (values.AMQP_CA_FILE === undefined) return values.AMQP_URL;
  const address = new URL(values.AMQP_URL);
  address.searchParams.set('cacertfile', values.AMQP_CA_FILE);
  return address.href;
}

/**
 * One connection to RabbitMQ, which comes back by itself. A service also starts and answers while there is no broker.
 */
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

  /** Whether it is inside this process, where a confirm means that consumers are done. */
  get isInProcess(): boolean {
    return isInProcess(this.#options.url);
  }

  /** Registers a user of the broker before the start. Each has a channel of its own. */
  use(setup: ChannelSetup): void {
    this.#setups.push(setup);
  }

  /** Whether a queue exists. False also while the broker cannot be asked. Needs no permission on the queue. */
  async hasQueue(queue: string): Promise<boolean> {
    try {
      await this.#onOwnChannel((channel) => channel.checkQueue(queue));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Declares a durable queue. One that exists with other arguments, of another release or by an operator, is taken as
   * it is: the arguments of a queue cannot be changed, and a service that stands still for them helps nobody.
   */
  async declareQueue(queue: string, queueArguments: QueueArguments): Promise<void> {
    try {
      const options = { durable: true, arguments: queueArguments };
      await this.#onOwnChannel((channel) => channel.assertQueue(queue, options));
    } catch (error) {
      if ((error as { code?: unknown }).code !== DECLARED_OTHERWISE) throw error;
      this.#logger.error(
        { err: error, queue },
        'a queue has other arguments than this release gives it; used as it is',
      );
    }
  }

  /** The broker closes the channel of whoever asks for what cannot be, so the question gets one of its own. */
  async #onOwnChannel(ask: (channel: Channel) => Promise<unknown>): Promise<void> {
    if (!this.#current) throw new Error('there is no connection to RabbitMQ');
    const channel = await this.#current.createChannel();
    channel.on('error', () => undefined);
    await ask(channel);
    await goodbye(channel);
  }

  async start(): Promise<void> {
    const { url, service, heartbeatSeconds } = this.#options;
    if (this.isInProcess) {
      void this.#attachAll(connectInProcess(url)).catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'broker'),
      );
      return;
    }
    const { address, options } = connectionTo(url, heartbeatSeconds);
    this.#connection = await connect(address, {
      ...options,
      clientProperties: { connection_name: service },
      recovery: {
        initialDelay: RECONNECT_INITIAL_MS,
        maxDelay: RECONNECT_AT_MOST_MS,
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
    // A connection that opens after amqplib was told to close has no listener for its errors. So the attempt under way
    // ends first: `#attachAll` or 'connect-failed' closes then.
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
      const isStarting = !this.#current && performance.now() - startedAt < START_TOGETHER_MS;
      this.#logger[isStarting ? 'debug' : 'warn'](`RabbitMQ cannot be reached: ${error.message}`);
    });
    connection.on('disconnect', (error) =>
      this.#logger.warn(`RabbitMQ connection lost: ${error?.message ?? 'closed'}`),
    );
    connection.on('error', (error) => this.#logger.warn(`RabbitMQ: ${error.message}`));
  }

  async #attachAll(model: ChannelModel): Promise<void> {
    // Nobody else listens while it is set up, and an error that nobody hears ends the process.
    model.on('error', () => undefined);
    if (this.#isStopped) return this.#connection?.close();
    this.#current = model;
    const isGone = (): boolean => this.#current !== model;
    const end = new Promise<void>((resolve) =>
      model.once('close', () => {
        // At once: whoever's call failed with the connection asks for it next.
        if (!isGone()) this.#current = undefined;
        resolve();
      }),
    );
    // The connection comes back after this has ended, so nothing that waits for an answer may keep it from ending.
    await Promise.race([end, Promise.all(this.#setups.map((setup) => this.#attach(model, setup)))]);
    if (isGone()) throw new Error('the connection was lost while it was set up');
  }

  /**
   * Gives one user its channel, and another one whenever a fault closes it, until the connection is gone. A user that
   * cannot be set up tries again by itself: the others have their channels all the same.
   */
  async #attach(model: ChannelModel, setup: ChannelSetup, retryMs = CHANNEL_RETRY_MS): Promise<void> {
    let nextMs = Math.min(retryMs * 2, CHANNEL_RETRY_AT_MOST_MS);
    let channel: ConfirmChannel | undefined;
    try {
      channel = await model.createConfirmChannel();
      channel.on('handler-error', (error: Error) => this.#logger.error({ err: error }, 'a channel listener failed'));
      channel.on('error', (error) => this.#logger.warn({ err: error }, 'channel closed by a fault'));
      channel.once('close', () => void this.#attachAgain(model, setup, retryMs, nextMs));
      await declareExchanges(channel, this.namespace);
      await setup(channel);
      nextMs = CHANNEL_RETRY_MS;
    } catch (error) {
      if (this.#isStopped || this.#current !== model) return;
      this.#logger.error({ err: error }, `a channel cannot be set up; trying again in ${retryMs} ms`);
      // Unless the fault has closed it already.
      if (channel) await goodbye(channel);
    }
  }

  async #attachAgain(model: ChannelModel, setup: ChannelSetup, waitMs: number, retryMs: number): Promise<void> {
    await delay(waitMs, undefined, { ref: false });
    if (this.#isStopped || this.#current !== model) return;
    await this.#attach(model, setup, retryMs);
  }
}

/** The broker of a service, as its environment names it. */
export const createServiceBroker = (
  service: string,
  values: Values<typeof brokerEnvironment>,
  logger: Logger,
): Broker => new Broker({ url: brokerUrl(values), namespace: values.AMQP_NAMESPACE, service, logger });
