import { randomUUID } from 'node:crypto';
import type { ConfirmChannel } from 'amqplib';
import type { IntegrationEntry, IntegrationEvent, IntegrationEventType } from '@saleschannel/contracts';
import type { Logger } from '@saleschannel/runtime';
import type { Broker } from './broker.ts';
import { publishConfirmed } from './amqp.ts';
import { toBodies, readEnvelope } from './envelope.ts';
import { brokerNames } from './topology.ts';

/** Limits memory while the broker stalls. */
const MAX_UNCONFIRMED = 50;

/** Broadcasts events. Returns false if it drops them. */
export type Broadcast = <T extends IntegrationEventType>(type: T, events: readonly IntegrationEvent<T>[]) => boolean;

/**
 * Creates a function that broadcasts lossy events at once, without the outbox. It never waits: it drops events while
 * there is no connection, or while the broker confirms nothing.
 */
export function createBroadcaster(options: { broker: Pick<Broker, 'namespace' | 'use'>; service: string }): Broadcast {
  const { exchange } = brokerNames(options.broker.namespace);
  let current: ConfirmChannel | undefined;
  let unconfirmed = 0;
  options.broker.use((channel) => {
    current = channel;
    channel.once('close', () => {
      if (current === channel) current = undefined;
    });
    return Promise.resolve();
  });
  const publish = (channel: ConfirmChannel, type: string, body: string): void => {
    unconfirmed += 1;
    const properties = { type, appId: options.service, mandatory: false };
    publishConfirmed(channel, { exchange, routingKey: type }, Buffer.from(body), properties)
      .catch(() => undefined)
      .finally(() => (unconfirmed -= 1));
  };
  return (type, events) => {
    if (!current || unconfirmed >= MAX_UNCONFIRMED) return false;
    for (const body of toBodies(events)) publish(current, type, body);
    return true;
  };
}

/**
 * Receives broadcast events through a queue that lives as long as the connection. Events published while there is no
 * connection are missed.
 */
export function listenToBroadcasts<T extends IntegrationEventType>(options: {
  broker: Pick<Broker, 'namespace' | 'use'>;
  service: string;
  events: readonly T[];
  onEntry(entry: IntegrationEntry<T>): void;
  logger: Logger;
}): void {
  const name = brokerNames(options.broker.namespace);
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
          options.logger.warn({ type: message.properties.type as unknown }, 'a broadcast is unreadable');
        }
        for (const entry of envelope.entries) options.onEntry(entry as IntegrationEntry<T>);
      },
      { noAck: true },
    );
  });
}
