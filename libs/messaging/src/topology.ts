import type { Channel } from 'amqplib';
import type { IntegrationEventType } from '@saleschannel/contracts';

/**
 * Every durable queue of the system and what it is bound to. A queue is named after the service that owns and declares
 * it. Events without a queue here are broadcast: whoever is connected hears them, and nobody misses anything by not
 * hearing them.
 */
export const queues = {
  /** One active consumer: transfers of one issuance meet in one batch instead of on a row lock. */
  'inventory.transfers': {
    events: ['tasks.transfer.requested.v1', 'tasks.transfer.withdrawn.v1'],
    singleActiveConsumer: true,
  },
  'tasks.outcomes': {
    events: ['inventory.transaction.status-changed.v1', 'inventory.transfer.reported.v1'],
    singleActiveConsumer: false,
  },
  'events.log': { events: ['inventory.transaction.status-changed.v1'], singleActiveConsumer: false },
} as const satisfies Record<string, { events: readonly IntegrationEventType[]; singleActiveConsumer: boolean }>;

export type QueueName = keyof typeof queues;

/**
 * A message that was delivered this often without an end becomes a dead letter. Otherwise it would be delivered for
 * ever.
 */
const DELIVERY_LIMIT = 20;

/** How long a message of an unknown type waits before it comes back to its queue. */
const UNKNOWN_WAIT_MS = 30_000;

/** The queues that an event shall reach. None for what is only broadcast. */
export const queuesOf = (type: IntegrationEventType): QueueName[] =>
  (Object.keys(queues) as QueueName[]).filter((queue) => (queues[queue].events as readonly string[]).includes(type));

/** Names on the broker. The namespace keeps several systems apart on one virtual host. */
export const names = (namespace: string) => ({
  exchange: `${namespace}.events`,
  deadLetterExchange: `${namespace}.dead-letters`,
  queue: (queue: QueueName) => `${namespace}.${queue}`,
  /** Reaches one queue alone, whatever else it is bound to. Services may not write to the default exchange. */
  endOf: (queue: QueueName) => ({ exchange: `${namespace}.events`, routingKey: `${namespace}.${queue}` }),
  deadLetterQueue: (queue: QueueName) => `${namespace}.${queue}.dead-letters`,
  /** Where messages of unknown types wait. */
  unknownQueue: (queue: QueueName) => `${namespace}.${queue}.unknown`,
  broadcastQueue: (service: string, instance: string) => `${namespace}.${service}.broadcast.${instance}`,
});

/**
 * What a service's broker user may touch: its own queues and the exchanges. Regular expressions as RabbitMQ wants them.
 */
export function permissionsOf(service: string, namespace: string): { configure: string; write: string; read: string } {
  const escaped = namespace.replaceAll('.', '\\.');
  const own = `${escaped}\\.${service}\\..*`;
  const exchanges = `${escaped}\\.(events|dead-letters)`;
  return { configure: `^(${exchanges}|${own})$`, write: `^(${exchanges}|${own})$`, read: `^(${exchanges}|${own})$` };
}

export async function declareExchanges(channel: Channel, namespace: string): Promise<void> {
  const name = names(namespace);
  await channel.assertExchange(name.exchange, 'topic', { durable: true });
  await channel.assertExchange(name.deadLetterExchange, 'direct', { durable: true });
}

export async function declareQueue(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  const name = names(namespace);
  const { events, singleActiveConsumer } = queues[queue];
  await channel.assertQueue(name.deadLetterQueue(queue), { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue(name.deadLetterQueue(queue), name.deadLetterExchange, name.queue(queue));
  await channel.assertQueue(name.queue(queue), {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': DELIVERY_LIMIT,
      'x-dead-letter-exchange': name.deadLetterExchange,
      'x-dead-letter-routing-key': name.queue(queue),
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
      ...(singleActiveConsumer ? { 'x-single-active-consumer': true } : {}),
    },
  });
  for (const event of events) await channel.bindQueue(name.queue(queue), name.exchange, event);
  const back = name.endOf(queue);
  await channel.bindQueue(name.queue(queue), back.exchange, back.routingKey);
}

/** Where messages of types that nobody knows yet wait. Most systems never have one, so it is made when it is needed. */
export async function declareUnknownQueue(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  const name = names(namespace);
  const back = name.endOf(queue);
  await channel.assertQueue(name.unknownQueue(queue), {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-message-ttl': UNKNOWN_WAIT_MS,
      'x-dead-letter-exchange': back.exchange,
      'x-dead-letter-routing-key': back.routingKey,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
  });
  await channel.bindQueue(name.unknownQueue(queue), name.deadLetterExchange, name.unknownQueue(queue));
}
