import { randomUUID } from 'node:crypto';
import { isIntegrationEventType, parseIntegrationEvent, type IntegrationEventType } from '@saleschannel/contracts';
import type { Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import type { Entry } from './consumer.ts';
import { names } from './topology.ts';

/** Hears broadcast events while connected, through a queue that lives as long as the connection. What is missed meanwhile is missed. */
export function listenToBroadcasts<T extends IntegrationEventType>(options: {
  broker: Broker;
  service: string;
  events: readonly T[];
  onEntry(entry: Entry<T>): void;
  logger: Logger;
}): void {
  const name = names(options.broker.namespace);
  options.broker.use(async (channel) => {
    const { queue } = await channel.assertQueue(name.broadcastQueue(options.service, randomUUID()), { exclusive: true, autoDelete: true, durable: false });
    for (const event of options.events) await channel.bindQueue(queue, name.exchange, event);
    await channel.consume(
      queue,
      (message) => {
        const type: unknown = message?.properties.type;
        if (!message || !isIntegrationEventType(type)) return;
        try {
          const { entries } = JSON.parse(message.content.toString()) as { entries: unknown[] };
          for (const entry of entries) options.onEntry({ type, event: parseIntegrationEvent(type, entry) } as Entry<T>);
        } catch (error) {
          options.logger.warn({ err: error }, 'a broadcast cannot be read');
        }
      },
      { noAck: true },
    );
  });
}
