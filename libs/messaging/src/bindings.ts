import type { ConfirmChannel } from 'amqplib';
import { openConnection, closeGracefully } from './connection.ts';
import {
  bindQueue,
  declareExchanges,
  brokerNames,
  partitionOf,
  queues,
  routingKeyOf,
  type QueueName,
} from './topology.ts';

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
