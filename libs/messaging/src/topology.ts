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
  /** Receives only messages of this partition. Without it, messages of no partition. */
  readonly partition?: LedgerPartition;
}

/**
 * Every durable queue of the system and its bindings. A queue is named after the service that owns and declares it.
 * Events without a queue are broadcast: connected processes receive them, and missing one does no harm.
 */
export const queues = {
  /**
   * Queue of the release before the partitions, whose task service still publishes here during a rollout. It is
   * consumed like the others. The next release may remove it.
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

/** Listeners of broadcasts, through a queue of each process that lives as long as its connection. */
export const broadcasts = {
  gateway: ['rbac.binding.changed.v1', 'identity.key.deleted.v1'],
  tasks: ['tasks.wait.begun.v1', 'tasks.wait.ended.v1'],
} as const satisfies Record<string, readonly IntegrationEventType[]>;

const queueNames = Object.keys(queues) as QueueName[];

/** Name of a queue for operators and traces: partitions share one. */
export type QueueFamily = Exclude<QueueName, LedgerQueue>;

export const partitionOf = (queue: QueueName): LedgerPartition | undefined => (queues[queue] as Queue).partition;

export const familyOf = (queue: QueueName): QueueFamily =>
  partitionOf(queue) === undefined ? (queue as QueueFamily) : 'inventory.transfers';

export const queueFamilies = queueNames.filter((queue) => familyOf(queue) === queue) as QueueFamily[];

export const queuesOfFamily = (family: QueueFamily): QueueName[] =>
  queueNames.filter((queue) => familyOf(queue) === family);

/** A message with this many failed deliveries becomes a dead letter, instead of being redelivered forever. */
export const DELIVERY_LIMIT = 20;

/** Time to live of messages in each kind of waiting queue, before they return. */
const waitingMs = {
  /** Messages of a type unknown to this release. */
  unknown: 30_000,
  /** Deferred entries beyond those that a consumer holds in memory. */
  'put-off': 5_000,
} as const;

/** Header with the reason of a dead letter. */
export const DEAD_LETTER_REASON = 'x-dead-letter-reason';

const DEAD_LETTERS = 'dead-letters';

export const isDeadLetterQueue = (queueName: string): boolean => queueName.endsWith(`.${DEAD_LETTERS}`);

export type WaitingQueueKind = keyof typeof waitingMs;

/** The queues that an event must reach, in all partitions. None for a pure broadcast. */
export const queuesOf = (type: IntegrationEventType): QueueName[] =>
  queueNames.filter((queue) => (queues[queue].events as readonly string[]).includes(type));

export const routingKeyOf = (type: string, partition: LedgerPartition | undefined): string =>
  partition === undefined ? type : `${type}.${partition}`;

/** Names on the broker. The namespace separates several systems on one virtual host. */
export const brokerNames = (namespace: string) => ({
  exchange: `${namespace}.events`,
  deadLetterExchange: `${namespace}.dead-letters`,
  queue: (queue: QueueName) => `${namespace}.${queue}`,
  /** Reaches this queue only. Services may not publish to the default exchange. */
  endOf: (queue: QueueName) => ({ exchange: `${namespace}.events`, routingKey: `${namespace}.${queue}` }),
  deadLetterQueue: (queue: QueueName) => `${namespace}.${queue}.${DEAD_LETTERS}`,
  /** Queue in which messages wait before they return. */
  waitingQueue: (queue: QueueName, kind: WaitingQueueKind) => `${namespace}.${queue}.${kind}`,
  broadcastQueue: (service: string, instance: string) => `${namespace}.${service}.broadcast.${instance}`,
});

/** Permissions of a service's broker user: its own queues and the exchanges, as regular expressions of RabbitMQ. */
export function permissionsOf(service: string, namespace: string): { configure: string; write: string; read: string } {
  const escaped = namespace.replaceAll('.', '\\.');
  const own = `${escaped}\\.${service}\\..*`;
  const exchanges = `${escaped}\\.(events|dead-letters)`;
  return { configure: `^(${exchanges}|${own})$`, write: `^(${exchanges}|${own})$`, read: `^(${exchanges}|${own})$` };
}

/** Permissions to list and replay dead letters of all queues, and nothing else. */
export function deadLetterPermissions(namespace: string): { configure: string; write: string; read: string } {
  const escaped = namespace.replaceAll('.', '\\.');
  return {
    configure: '^$',
    write: `^${escaped}\\.(events|dead-letters)$`,
    read: `^${escaped}\\..*\\.dead-letters$`,
  };
}

/** Permissions of a broker user, including those on routing keys of a topic exchange. */
interface ListenerPermissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: { readonly exchange: string; readonly write: string; readonly read: string };
}

/**
 * Permissions of another team's program to listen to these events: on its own queues, and to bind them to the events
 * exchange with the routing keys of these events only. It cannot publish there.
 */
export function listenerPermissions(
  listener: string,
  namespace: string,
  events: readonly IntegrationEventType[],
): ListenerPermissions {
  const escape = (text: string): string => text.replaceAll('.', '\\.');
  const { exchange } = brokerNames(namespace);
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
  const name = brokerNames(namespace);
  await channel.assertExchange(name.exchange, 'topic', { durable: true });
  await channel.assertExchange(name.deadLetterExchange, 'direct', { durable: true });
}

/** Arguments of a queue, as RabbitMQ names them. */
export type QueueArguments = Readonly<Record<string, unknown>>;

/** Declares queues, as the broker does. */
export interface QueueDeclarer {
  readonly namespace: string;
  /** Declares a durable queue, or uses an existing one as it is. */
  declareQueue(queue: string, queueArguments: QueueArguments): Promise<void>;
}

const quorum = { 'x-queue-type': 'quorum' } as const;

/** Arguments with which a queue is declared. */
export function queueArguments(namespace: string, queue: QueueName): QueueArguments {
  const name = brokerNames(namespace);
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
 * Declares a queue and its dead letter queue, and binds both. The dead letter queue comes last: its existence shows
 * that the queue is bound, which a broker cannot be asked.
 */
export async function declareQueue(channel: Channel, broker: QueueDeclarer, queue: QueueName): Promise<void> {
  const name = brokerNames(broker.namespace);
  await broker.declareQueue(name.queue(queue), queueArguments(broker.namespace, queue));
  await bindToEvents(channel, broker.namespace, queue);
  await broker.declareQueue(name.deadLetterQueue(queue), deadLetterQueueArguments);
  await bindDeadLetters(channel, broker.namespace, queue);
}

/** Binds a queue and its dead letter queue. The broker closes the channel if one of them does not exist. */
export async function bindQueue(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  await bindToEvents(channel, namespace, queue);
  await bindDeadLetters(channel, namespace, queue);
}

export const routingKeysOf = (queue: QueueName): string[] =>
  queues[queue].events.map((event) => routingKeyOf(event, partitionOf(queue)));

async function bindToEvents(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  const name = brokerNames(namespace);
  for (const key of routingKeysOf(queue)) await channel.bindQueue(name.queue(queue), name.exchange, key);
  const back = name.endOf(queue);
  await channel.bindQueue(name.queue(queue), back.exchange, back.routingKey);
}

async function bindDeadLetters(channel: Channel, namespace: string, queue: QueueName): Promise<void> {
  const name = brokerNames(namespace);
  await channel.bindQueue(name.deadLetterQueue(queue), name.deadLetterExchange, name.queue(queue));
}

/** Declares a queue whose messages return to another queue after a while. */
export async function declareWaitingQueue(
  channel: Channel,
  broker: QueueDeclarer,
  queue: QueueName,
  kind: WaitingQueueKind,
): Promise<void> {
  const name = brokerNames(broker.namespace);
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
