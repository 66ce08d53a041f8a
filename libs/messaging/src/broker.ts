import { connect, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { env, type Environment, type Logger, type Part } from '@saleschannel/runtime';
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

/** Called with a fresh confirm channel after every (re)connection and after the channel was closed by a fault. */
export type ChannelSetup = (channel: ConfirmChannel) => Promise<void>;

export interface Broker extends Part {
  readonly namespace: string;
  /** Registers a user of the broker before the start; each has a channel of its own. */
  use(setup: ChannelSetup): void;
  /** Whether a queue exists; false also while the broker cannot be asked. Needs no permission on the queue. */
  hasQueue(queue: string): Promise<boolean>;
}

const RECONNECT_INITIAL_MS = 100;
const RECONNECT_AT_MOST_MS = 2_000;
const HEARTBEAT_SECONDS = 10;
const CHANNEL_RETRY_MS = 1_000;

/** One connection to RabbitMQ that comes back by itself. The service starts and answers also while there is no broker. */
export function createBroker(options: BrokerOptions): Broker {
  const setups: ChannelSetup[] = [];
  let connection: RecoveringChannelModel | undefined;
  let stopped = false;

  /** Gives one user its channel, again and again until it has it or the connection is gone. */
  async function attach(model: ChannelModel, setup: ChannelSetup): Promise<void> {
    const channel = await model.createConfirmChannel();
    channel.on('handler-error', (error: Error) => options.logger.error({ err: error }, 'a channel listener failed'));
    channel.on('error', (error) => options.logger.warn({ err: error }, 'channel closed by a fault'));
    channel.on('close', () => void attachAgain(model, setup));
    await declareExchanges(channel, options.namespace);
    await setup(channel);
  }

  async function attachAgain(model: ChannelModel, setup: ChannelSetup): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, CHANNEL_RETRY_MS).unref());
    if (stopped || current !== model) return;
    await attach(model, setup).catch((error: unknown) =>
      options.logger.warn({ err: error }, 'channel cannot be set up'),
    );
  }

  let current: ChannelModel | undefined;

  return {
    namespace: options.namespace,
    use(setup) {
      setups.push(setup);
    },
    async hasQueue(queue) {
      try {
        // The broker closes the channel of who asks for a queue that does not exist: it gets one of its own.
        const channel = await current?.createChannel();
        channel?.on('error', () => undefined);
        await channel?.checkQueue(queue);
        await channel?.close();
        return channel !== undefined;
      } catch {
        return false;
      }
    },
    async start() {
      const url = new URL(options.url);
      url.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
      connection = await connect(url.toString(), {
        // Nagle's algorithm would hold back small frames by up to 80 ms.
        noDelay: true,
        clientProperties: { connection_name: options.service },
        recovery: {
          initialDelay: RECONNECT_INITIAL_MS,
          maxDelay: RECONNECT_AT_MOST_MS,
          maxRetries: Infinity,
          waitForConnect: false,
          async setup(model: ChannelModel) {
            current = model;
            for (const setup of setups) await attach(model, setup);
          },
        },
      });
      connection.on('handler-error', (error: Error) =>
        options.logger.error({ err: error }, 'a connection listener failed'),
      );
      connection.on('connect-failed', (error) => options.logger.warn(`RabbitMQ cannot be reached: ${error.message}`));
      connection.on('disconnect', (error) =>
        options.logger.warn(`RabbitMQ connection lost: ${error?.message ?? 'closed'}`),
      );
      connection.on('error', (error) => options.logger.warn(`RabbitMQ: ${error.message}`));
    },
    async stop() {
      stopped = true;
      current = undefined;
      await connection?.close().catch(() => undefined);
    },
  };
}
