import { isIntegrationEventType } from '@saleschannel/contracts';
import type { ConfirmChannel } from 'amqplib';
import { openConnection, closeGracefully } from './amqp.ts';
import type { Broker } from './broker.ts';
import {
  bindQueue,
  declareExchanges,
  brokerNames,
  partitionOf,
  queues,
  routingKeyOf,
  type QueueName,
  queuesOf,
} from './topology.ts';

/**
 * Checks whether events would reach all their queues. `mandatory` only reports a message that reaches none. In a new
 * installation, a consumer that has not declared its queue yet would miss an event that another consumer's queue gets.
 */
export class Routes {
  readonly #broker: Broker;
  readonly #known = new Set<string>();

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /**
   * Returns whether every queue of the event exists and is bound. A service declares the dead letter queue last, so its
   * existence shows that. Returns false while the broker is unreachable.
   */
  async haveQueues(type: string): Promise<boolean> {
    if (this.#known.has(type)) return true;
    const name = brokerNames(this.#broker.namespace);
    for (const queue of isIntegrationEventType(type) ? queuesOf(type) : []) {
      for (const each of [name.queue(queue), name.deadLetterQueue(queue)])
        if (!(await this.#broker.hasQueue(each))) return false;
    }
    this.#known.add(type);
    return true;
  }

  /** Drops the cache, because another broker may answer now. */
  forget(): void {
    this.#known.clear();
  }
}

/**
 * Unbinds an event type from a queue, for operators. A release that was rolled back for good leaves such a binding
 * behind, and messages of that type return to the waiting queue forever. Services never remove bindings: during a
 * rollout, a replica of the old release would remove those that the new one needs.
 * @throws Error for a type that this release needs in the queue, because the service would bind it again
 */
export async function removeBinding(url: string, namespace: string, queue: QueueName, type: string): Promise<void> {
  if ((queues[queue].events as readonly string[]).includes(type)) {
    throw new Error(`${queue} needs ${type} in this release`);
  }
  const connection = await openConnection(url);
  connection.on('error', () => undefined);
  try {
    const name = brokerNames(namespace);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    // For a queue that does not exist, the broker would unbind without an error.
    await channel.checkQueue(name.queue(queue));
    await channel.unbindQueue(name.queue(queue), name.exchange, routingKeyOf(type, partitionOf(queue)));
  } finally {
    await closeGracefully(connection);
  }
}

/**
 * Interval between renewals. An operator or imported definitions may remove an exchange or a binding without notice,
 * and then messages no longer arrive.
 */
const REBIND_MS = 10_000;

interface BindingOptions {
  readonly namespace: string;
  readonly queue: QueueName;
  readonly everyMs: number | undefined;
}

/**
 * Renews the bindings of a queue while its channel is open. If something is missing, the broker closes the channel, and
 * the next one declares everything again.
 */
export function keepBound(
  channel: ConfirmChannel,
  { namespace, queue, everyMs = REBIND_MS }: BindingOptions,
  onError: (error: unknown) => void,
): void {
  const rebind = async (): Promise<void> => {
    try {
      await declareExchanges(channel, namespace);
      await bindQueue(channel, namespace, queue);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => void rebind(), everyMs).unref();
  channel.on('close', () => clearInterval(timer));
}
