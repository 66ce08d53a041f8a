import type { Channel, ChannelModel } from 'amqplib';
import { connectTo } from './connection.ts';
import { names, queueFamilies, queuesOfFamily, type QueueFamily, type QueueName } from './topology.ts';

/** How full a queue is, with all its partitions. */
export interface QueueLevel {
  readonly queue: QueueFamily;
  /** Messages that wait. Those that a consumer holds are not among them. */
  readonly messages: number;
  readonly consumers: number;
  readonly deadLetters: number;
}

/** AMQP 0-9-1: there is no such queue. The broker closes the channel over it. */
const NOT_FOUND = 404;

interface Connection {
  readonly model: ChannelModel;
  channel: Channel;
}

/**
 * Reads how full all queues are, again and again, over one connection. How many messages wait is told to everybody of
 * the virtual host, whatever else they may do.
 */
export class QueueLevels {
  readonly #url: string;
  readonly #name: ReturnType<typeof names>;
  #connection: Connection | undefined;

  constructor(url: string, namespace: string) {
    this.#url = url;
    this.#name = names(namespace);
  }

  /** A queue that nobody has declared yet is empty. One call at a time. @throws Error while there is no broker */
  async read(): Promise<QueueLevel[]> {
    try {
      const connection = (this.#connection ??= await this.#connect());
      const levels: QueueLevel[] = [];
      for (const family of queueFamilies) levels.push(await this.#levelOf(connection, family));
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
    const model = await connectTo(this.#url);
    // The call under way fails with the same error. An error that nobody hears ends the process.
    model.on('error', () => undefined);
    const connection = { model, channel: await channelOf(model) };
    model.once('close', () => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    return connection;
  }

  async #levelOf(connection: Connection, queue: QueueFamily): Promise<QueueLevel> {
    const level = { queue, messages: 0, consumers: 0, deadLetters: 0 };
    for (const each of queuesOfFamily(queue)) {
      const { messages, consumers } = await this.#ask(connection, this.#name.queue(each));
      level.messages += messages;
      level.consumers += consumers;
      level.deadLetters += await this.#deadLettersOf(connection, each);
    }
    return level;
  }

  async #deadLettersOf(connection: Connection, queue: QueueName): Promise<number> {
    return (await this.#ask(connection, this.#name.deadLetterQueue(queue))).messages;
  }

  async #ask(connection: Connection, queue: string): Promise<{ messages: number; consumers: number }> {
    try {
      const { messageCount, consumerCount } = await connection.channel.checkQueue(queue);
      return { messages: messageCount, consumers: consumerCount };
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
      connection.channel = await channelOf(connection.model);
      return { messages: 0, consumers: 0 };
    }
  }
}

async function channelOf(model: ChannelModel): Promise<Channel> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  return channel;
}
