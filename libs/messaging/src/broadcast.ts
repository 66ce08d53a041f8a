import { randomUUID } from 'node:crypto';
import type { IntegrationEntry, IntegrationEventType } from '@saleschannel/contracts';
import type { Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { readEnvelope } from './envelope.ts';
import { names } from './topology.ts';

/**
 * Hears broadcast events while connected, through a queue that lives as long as the connection. Events that are
 * published while there is no connection are not heard.
 */
export function listenToBroadcasts<T extends IntegrationEventType>(options: {
  broker: Pick<Broker, 'namespace' | 'use'>;
  service: string;
  events: readonly T[];
  onEntry(entry: IntegrationEntry<T>): void;
  logger: Logger;
}): void {
  const name = names(options.broker.namespace);
  options.broker.use(async (channel) => {
    const { queue } = await channel.assertQueue(name.broadcastQueue(options.service, randomUUID()), {
      exclusive: true,
      autoDelete: true,
      durable: false,
    });
    for (const event of options.events) await channel.bindQueue(queue, name.exchange, event);
    await channel.consume(
      queue,
      (message) => {
        if (!message) return;
        const envelope = readEnvelope(message.properties.type, message.content, options.events);
        if (envelope.kind === 'unknown-type') return;
        if (envelope.unreadable.length > 0) {
          options.logger.warn({ type: message.properties.type as unknown }, 'a broadcast cannot be read');
        }
        for (const entry of envelope.entries) options.onEntry(entry as IntegrationEntry<T>);
      },
      { noAck: true },
    );
  });
}
