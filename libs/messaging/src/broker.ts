import { setTimeout as delay } from 'node:timers/promises';
import { connect, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { env, type Environment, type Logger, type Part, type Values } from '@saleschannel/runtime';
import { declareExchanges } from './topology.ts';

export const brokerEnvironment = {
  AMQP_URL: env.url("RabbitMQ, with this service's own user", { secret: true, protocols: ['amqp:', 'amqps:'] }),
  AMQP_NAMESPACE: env.text('prefix of exchanges and queues', { default: 'saleschannel' }),
} satisfies Environment;

export interface BrokerOptions {
  url: string;
  namespace: string;
  /** Shown in the broker's list of connections. */
  service: string;
  logger: Logger;
}

/** Called with a fresh confirm channel after every connection, and after a fault closed the channel. */
export type ChannelSetup = (channel: ConfirmChannel) => Promise<void>;

const RECONNECT_INITIAL_MS = 100;
const RECONNECT_AT_MOST_MS = 2_000;
const HEARTBEAT_SECONDS = 10;
const CHANNEL_RETRY_MS = 1_000;

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

  /** Registers a user of the broker before the start. Each has a channel of its own. */
  use(setup: ChannelSetup): void {
    this.#setups.push(setup);
  }

  /** Whether a queue exists. False also while the broker cannot be asked. Needs no permission on the queue. */
  async hasQueue(queue: string): Promise<boolean> {
    try {
      // The broker closes the channel of whoever asks for a queue that does not exist, so it gets one of its own.
      const channel = await this.#current?.createChannel();
      channel?.on('error', () => undefined);
      await channel?.checkQueue(queue);
      await channel?.close();
      return channel !== undefined;
    } catch {
      return false;
    }
  }

  async start(): Promise<void> {
    const url = new URL(this.#options.url);
    url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
    this.#connection = await connect(url.toString(), {
      // Nagle's algorithm would hold back small frames by up to 80 ms.
      noDelay: true,
      clientProperties: { connection_name: this.#options.service },
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
    this.#current = undefined;
    await this.#connection?.close().catch(() => undefined);
  }

  #report(connection: RecoveringChannelModel): void {
    connection.on('handler-error', (error: Error) =>
      this.#logger.error({ err: error }, 'a connection listener failed'),
    );
    connection.on('connect-failed', (error) => this.#logger.warn(`RabbitMQ cannot be reached: ${error.message}`));
    connection.on('disconnect', (error) =>
      this.#logger.warn(`RabbitMQ connection lost: ${error?.message ?? 'closed'}`),
    );
    connection.on('error', (error) => this.#logger.warn(`RabbitMQ: ${error.message}`));
  }

  async #attachAll(model: ChannelModel): Promise<void> {
    this.#current = model;
    for (const setup of this.#setups) await this.#attach(model, setup);
  }

  /** Gives one user its channel, and another one whenever a fault closes it, until the connection is gone. */
  async #attach(model: ChannelModel, setup: ChannelSetup): Promise<void> {
    const channel = await model.createConfirmChannel();
    channel.on('handler-error', (error: Error) => this.#logger.error({ err: error }, 'a channel listener failed'));
    channel.on('error', (error) => this.#logger.warn({ err: error }, 'channel closed by a fault'));
    channel.on('close', () => void this.#attachAgain(model, setup));
    await declareExchanges(channel, this.namespace);
    await setup(channel);
  }

  async #attachAgain(model: ChannelModel, setup: ChannelSetup): Promise<void> {
    await delay(CHANNEL_RETRY_MS, undefined, { ref: false });
    if (this.#isStopped || this.#current !== model) return;
    await this.#attach(model, setup).catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'channel cannot be set up'),
    );
  }
}

/** The broker of a service, as its environment names it. */
export const createServiceBroker = (
  service: string,
  values: Values<typeof brokerEnvironment>,
  logger: Logger,
): Broker => new Broker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service, logger });
