import { randomUUID } from 'node:crypto';
import type { ConfirmChannel } from 'amqplib';
import type { CopyProperties } from './in-process-channel.ts';

/** Message ids that came back from the broker because no queue takes them, by channel. */
const returned = new WeakMap<ConfirmChannel, Set<string>>();

function returnedOf(channel: ConfirmChannel): Set<string> {
  const known = returned.get(channel);
  if (known) return known;
  const ids = new Set<string>();
  channel.on('return', (message) => ids.add(String(message.properties.messageId)));
  returned.set(channel, ids);
  return ids;
}

/** Where a message goes. */
export interface Destination {
  readonly exchange: string;
  readonly routingKey: string;
}

/**
 * Publishes a persistent message and resolves when the broker has it. RabbitMQ also confirms what no queue takes, so
 * the message is `mandatory` unless the properties say otherwise.
 * @throws Error when the broker refuses it or no queue takes it
 */
export function publishConfirmed(
  channel: ConfirmChannel,
  { exchange, routingKey }: Destination,
  content: Buffer,
  properties: CopyProperties,
): Promise<void> {
  const ids = returnedOf(channel);
  const messageId = randomUUID();
  const all = { contentType: 'application/json', mandatory: true, ...properties, messageId, persistent: true };
  return new Promise((resolve, reject) => {
    channel.publish(exchange, routingKey, content, all, (error: unknown) => {
      if (error) reject(error as Error);
      else if (ids.delete(messageId)) reject(new Error(`no queue takes ${routingKey} of exchange "${exchange}"`));
      else resolve();
    });
  });
}
