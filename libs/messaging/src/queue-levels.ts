import type { Channel, ChannelModel } from 'amqplib';
import { openConnection } from './amqp.ts';
import { brokerNames, queueFamilies, queuesOfFamily, type QueueFamily, type QueueName } from './topology.ts';

/** Messages in a queue, with all its partitions. */
export interface QueueLevel {
  readonly queue: QueueFamily;
  /** Waiting messages, without those that a consumer holds. */
  readonly messages: number;
  readonly consumers: number;
  readonly deadLetters: number;
}

/** AMQP 0-9-1: the queue does not exist. The broker closes the channel. */
const NOT_FOUND = 404;

interface Connection {
  readonly model: ChannelModel;
  channel: Channel;
}

/**
 * Reads the levels of all queues repeatedly, over one connection. Every user of the virtual host may read them,
 * regardless of other permissions.
 */
export class QueueLevels {
  readonly #url: string;
  readonly #name: ReturnType<typeof brokerNames>;
  #connection: Connection | undefined;

  constructor(url: string, namespace: string) {
    this.#url = url;
    this.#name = brokerNames(namespace);
  }

  /**
   * Reads all levels. A queue that is not declared yet counts as empty. One call at a time.
   * @throws Error without a broker
   */
  async read(): Promise<QueueLevel[]> {
    try {
      const connection = (this.#connection ??= await this.#connect());
      const levels: QueueLevel[] = [];
      for (const family of queueFamilies) levels.push(await this.#readLevel(connection, family));
      return levels;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.model.close().catch(() => undefined);
  }

  async #connect(): Promise<Connection> {
    const model = await openConnection(this.#url);
    // The pending call fails with the same error. An unhandled error event would end the process.
    model.on('error', () => undefined);
    const connection = { model, channel: await openChannel(model) };
    model.once('close', () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return connection;
  }

  async #readLevel(connection: Connection, queue: QueueFamily): Promise<QueueLevel> {
    const level = { queue, messages: 0, consumers: 0, deadLetters: 0 };
    for (const each of queuesOfFamily(queue)) {
      const { messages, consumers } = await this.#checkQueue(connection, this.#name.queue(each));
      level.messages += messages;
      level.consumers += consumers;
      level.deadLetters += await this.#countDeadLetters(connection, each);
    }
    return level;
  }

  async #countDeadLetters(connection: Connection, queue: QueueName): Promise<number> {
    return (await this.#checkQueue(connection, this.#name.deadLetterQueue(queue))).messages;
  }

  async #checkQueue(connection: Connection, queue: string): Promise<{ messages: number; consumers: number }> {
    try {
      const { messageCount, consumerCount } = await connection.channel.checkQueue(queue);
      return { messages: messageCount, consumers: consumerCount };
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
      connection.channel = await openChannel(connection.model);
      return { messages: 0, consumers: 0 };
    }
  }
}

async function openChannel(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  return channel;
}
