import { connectTo } from './connection.ts';
import { goodbye } from './goodbye.ts';
import { names, partitionOf, queues, routingKeyOf, type QueueName } from './topology.ts';

/**
 * For an operator: a queue gets a type of event no longer. A release that is taken back for good leaves such a binding
 * behind, and what it brings waits beside the queue for ever. Services never remove a binding themselves: while a new
 * release is rolled out, an old replica would take away what the new one needs.
 * @throws Error for a type that this release wants in the queue: its service would bind it again
 */
export async function removeBinding(url: string, namespace: string, queue: QueueName, type: string): Promise<void> {
  if ((queues[queue].events as readonly string[]).includes(type)) {
    throw new Error(`${queue} needs ${type} in this release`);
  }
  const connection = await connectTo(url);
  connection.on('error', () => undefined);
  try {
    const name = names(namespace);
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    // Where there is no such queue the broker unbinds in silence.
    await channel.checkQueue(name.queue(queue));
    await channel.unbindQueue(name.queue(queue), name.exchange, routingKeyOf(type, partitionOf(queue)));
  } finally {
    await goodbye(connection);
  }
}
