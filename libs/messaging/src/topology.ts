import type { Channel } from 'amqplib';
import type { IntegrationEventType } from '@saleschannel/contracts';
import { ledgerPartitions, ledgerQueue, type LedgerPartition, type LedgerQueue } from './ledger-partitions.ts';

const transferEvents = ['tasks.transfer.requested.v1', 'tasks.transfer.withdrawn.v1'] as const;

interface PartitionOfLedger {
  readonly events: typeof transferEvents;
  readonly singleActiveConsumer: true;
  readonly partition: LedgerPartition;
}

interface Queue {
  readonly events: readonly IntegrationEventType[];
  readonly singleActiveConsumer: boolean;
  /** Gets the messages of this partition alone. Without it those that name none. */
  readonly partition?: LedgerPartition;
}

/**
 * Every durable queue of the system and what it is bound to. A queue is named after the service that owns and declares
 * it. Events without a queue here are broadcast: whoever is connected hears them, and nobody misses anything by not
 * hearing them.
 */
export const queues = {
  /**
   * That of the release before the partitions, whose tasks still publish here while a new one is rolled out. It is read
   * like the others. The next release may leave it out.
   */
  'inventory.transfers': { events: transferEvents, singleActiveConsumer: true },
  /** One active consumer each: transfers of one issuance meet in one batch instead of on a row lock. */
  ...(Object.fromEntries(
    ledgerPartitions.map((partition): [LedgerQueue, PartitionOfLedger] => [
      ledgerQueue(partition),
      { events: transferEvents, singleActiveConsumer: true, partition },
    ]),
  ) as Record<LedgerQueue, PartitionOfLedger>),
  'tasks.outcomes': {
    events: ['inventory.transaction.status-changed.v1', 'inventory.transfer.reported.v1'],
    singleActiveConsumer: false,
  },
  'events.log': { events: ['inventory.transaction.status-changed.v1'], singleActiveConsumer: false },
} as const satisfies Record<string, Queue>;

export type QueueName = keyof typeof queues;

/** Who hears what is broadcast, through a queue of each process that lives as long as its connection. */
export const broadcasts = {
  gateway: ['rbac.binding.changed.v1', 'identity.key.deleted.v1'],
  tasks: ['tasks.wait.begun.v1', 'tasks.wait.ended.v1'],
} as const satisfies Record<string, readonly IntegrationEventType[]>;

const queueNames = Object.keys(queues) as QueueName[];

/** What operators and traces call a queue: partitions have one name. */
export type QueueFamily = Exclude<QueueName, LedgerQueue>;

export const partitionOf = (queue: QueueName): LedgerPartition | undefined => (queues[queue] as Queue).partition;

export const familyOf = (queue: QueueName): QueueFamily =>
  partitionOf(queue) === undefined ? (queue as QueueFamily) : 'inventory.transfers';

export const queueFamilies = queueNames.filter((queue) => familyOf(queue) === queue) as QueueFamily[];

/** The queues of that name. */
export const queuesOfFamily = (family: QueueFamily): QueueName[] =>
  queueNames.filter((queue) => familyOf(queue) === family);

/**
 * A message that was delivered this often without an end becomes a dead letter. Otherwise it would be delivered for
 * ever.
 */
export const DELIVERY_LIMIT = 20;

/** For what messages wait beside their queue, and how long each before it comes back. */
const waitingMs = {
  /** Of a type that nobody knows yet. */
  unknown: 30_000,
  /** Somebody else is in the way, and as many as a consumer may hold wait for that already. */
  'put-off': 5_000,
} as const;

/** The header that says why a message is a dead letter. */
export const DEAD_LETTER_REASON = 'x-dead-letter-reason';

const DEAD_LETTERS = 'dead-letters';

export const isDeadLetterQueue = (queueName: string): boolean => queueName.endsWith(`.${DEAD_LETTERS}`);

export type WaitingQueueKind = keyof typeof waitingMs;

/** The queues that an event shall reach, in all partitions. None for what is only broadcast. */
export const queuesOf = (type: IntegrationEventType): QueueName[] =>
  queueNames.filter((queue) => (queues[queue].events as readonly string[]).includes(type));

/** By what an event finds its queues. */
export const routingKeyOf = (type: string, partition: LedgerPartition | undefined): string =>
  partition === undefined ? type : `${type}.${partition}`;

/** Names on the broker. The namespace keeps several systems apart on one virtual host. */
export const names = (namespace: string) => ({
  exchange: `${namespace}.events`,
  deadLetterExchange: `${namespace}.dead-letters`,
  queue: (queue: QueueName) => `${namespace}.${queue}`,
  /** Reaches one queue alone, whatever else it is bound to. Services may not write to the default exchange. */
  endOf: (queue: QueueName) => ({ exchange: `${namespace}.events`, routingKey: `${namespace}.${queue}` }),
  deadLetterQueue: (queue: QueueName) => `${namespace}.${queue}.${DEAD_LETTERS}`,
  /** Where messages wait before they come back. */
  waitingQueue: (queue: QueueName, kind: WaitingQueueKind) => `${namespace}.${queue}.${kind}`,
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

/** What it takes to look at the dead letters of all queues and to hand them back, and nothing else. */
export function permissionsOverDeadLetters(namespace: string): { configure: string; write: string; read: string } {
  const escaped = namespace.replaceAll('.', '\\.');
  return {
    configure: '^$',
    write: `^${escaped}\\.(events|dead-letters)$`,
    read: `^${escaped}\\..*\\.dead-letters$`,
  };
}

/** Rights of a user on the broker, and those on routing keys of a topic exchange. */
interface ListenerPermissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: { readonly exchange: string; readonly write: string; readonly read: string };
}

/**
 * What a program of another team needs to listen to these events: whatever begins with its own name, and to bind that
 * to the exchange of events, with the routing keys of these events alone. It publishes nothing there.
 */
export function permissionsOfListener(
  listener: string,
  namespace: string,
  events: readonly IntegrationEventType[],
): ListenerPermissions {
  const escape = (text: string): string => text.replaceAll('.', '\\.');
  const { exchange } = names(namespace);
  const own = `${escape(listener)}\\..*`;
  const keys = `^(${events.map(escape).join('|')})$`;
  return {
    configure: `^${own}$`,
    write: `^${own}$`,
    read: `^(${own}|${escape(exchange)})$`,
    topics: { exchange, write: '^$', read: keys },
  };
}

export async function declareExchanges(channel: Channel, namespace: string): Promise<void> {
  const name = names(namespace);
  await channel.assertExchange(name.exchange, 'topic', { durable: true });
  await channel.assertExchange(name.deadLetterExchange, 'direct', { durable: true });
}

/** Arguments of a queue, as RabbitMQ names them. */
export type QueueArguments = Readonly<Record<string, unknown>>;

/** What declares queues: the broker. */
export interface Declarer {
  readonly namespace: string;
  /** Declares a durable queue, or takes it as it is. */
  declareQueue(queue: string, queueArguments: QueueArguments): Promise<void>;
}

const quorum = { 'x-queue-type': 'quorum' } as const;

/** What a queue is declared with. */
export function queueArguments(namespace: string, queue: QueueName): QueueArguments {
  const name = names(namespace);
  return {
    ...quorum,
    'x-delivery-limit': DELIVERY_LIMIT,
    'x-dead-letter-exchange': name.deadLetterExchange,
    'x-dead-letter-routing-key': name.queue(queue),
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
    ...(queues[queue].singleActiveConsumer ? { 'x-single-active-consumer': true } : {}),
  };
}

export const deadLetterQueueArguments: QueueArguments = quorum;

/**
 * Declares a queue with its dead letters, and binds both. The queue of dead letters comes last: where it is, the other
 * one gets its events, which cannot be asked of a broker.
 */
export async function declareQueue(channel: Channel, broker: Declarer, queue: QueueName): Promise<void> {
  const name = names(broker.namespace);
  await broker.declareQueue(name.queue(queue), queueArguments(broker.namespace, queue));
  await bindToEvents(channel, broker.namespace, queue);
  await broker.declareQueue(name.deadLetterQueue(queue), deadLetterQueueArguments);
  await bindDeadLetters(channel, broker.namespace, queue);
}

/** Binds a queue and that of its dead letters. The broker closes the channel when one of them is not there. */
export async function bindQueue(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  await bindToEvents(channel, namespace, queue);
  await bindDeadLetters(channel, namespace, queue);
}

/** The routing keys of the events of a queue. */
export const routingKeysOf = (queue: QueueName): string[] =>
  queues[queue].events.map((event) => routingKeyOf(event, partitionOf(queue)));

async function bindToEvents(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  const name = names(namespace);
  for (const key of routingKeysOf(queue)) await channel.bindQueue(name.queue(queue), name.exchange, key);
  const back = name.endOf(queue);
  await channel.bindQueue(name.queue(queue), back.exchange, back.routingKey);
}

async function bindDeadLetters(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  const name = names(namespace);
  await channel.bindQueue(name.deadLetterQueue(queue), name.deadLetterExchange, name.queue(queue));
}

/** A queue beside another one, whose messages come back to that one after a while. */
export async function declareWaitingQueue(
  channel: Channel,
  broker: Declarer,
  queue: QueueName,
  kind: WaitingQueueKind,
): Promise<void> {
  const name = names(broker.namespace);
  const back = name.endOf(queue);
  const waiting = name.waitingQueue(queue, kind);
  await broker.declareQueue(waiting, {
    ...quorum,
    'x-message-ttl': waitingMs[kind],
    'x-dead-letter-exchange': back.exchange,
    'x-dead-letter-routing-key': back.routingKey,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  });
  await channel.bindQueue(waiting, name.deadLetterExchange, waiting);
}
