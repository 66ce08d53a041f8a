import { randomUUID } from 'node:crypto';
import type { ConfirmChannel } from 'amqplib';
import type { CopyProperties } from './in-process-channel.ts';

/** Ids of messages that the broker returned as unroutable, by channel. */
const returned = new WeakMap<ConfirmChannel, Set<string>>();

function findReturnedIds(channel: ConfirmChannel): Set<string> {
  const known = returned.get(channel);
  if (known) return known;
  const ids = new Set<string>();
  channel.on('return', (message) => ids.add(String(message.properties.messageId)));
  returned.set(channel, ids);
  return ids;
}

export interface Destination {
  readonly exchange: string;
  readonly routingKey: string;
}

/**
 * Publishes a persistent message and resolves when the broker confirms it. RabbitMQ also confirms unroutable messages,
 * so the message is `mandatory` by default, and an unroutable one is returned.
 * @throws Error if the broker refuses it or no queue takes it
 */
export function publishConfirmed(
  channel: ConfirmChannel,
  { exchange, routingKey }: Destination,
  content: Buffer,
  properties: CopyProperties,
): Promise<void> {
  const ids = findReturnedIds(channel);
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
