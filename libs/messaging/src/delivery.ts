import type { ConsumeMessage } from 'amqplib';
import type { IntegrationEntry } from '@saleschannel/contracts';
import type { Envelope } from './envelope.ts';

/** An unacknowledged message of this consumer. */
export interface Delivery {
  readonly message: ConsumeMessage;
  readonly items: readonly Item[];
  /** Bodies of unreadable entries. */
  readonly unreadable: readonly Buffer[];
  /** Entries that are neither handled nor dead letters yet. */
  pending: number;
}

/** One entry of a delivery. */
export interface Item {
  readonly entry: IntegrationEntry;
  readonly delivery: Delivery;
  /** Entries that share a key with it stay behind it. */
  readonly keys: readonly string[];
  /** Its owner, such as a sales channel, for fair scheduling. */
  readonly lane: string;
  /** Work that it takes, at least 1, in the unit of the consumer's `batchCostAtMost`. */
  readonly cost: number;
}

export function createDelivery(
  message: ConsumeMessage,
  envelope: Extract<Envelope, { kind: 'known' }>,
  toScheduling: (entry: IntegrationEntry) => Pick<Item, 'keys' | 'lane' | 'cost'>,
): Delivery {
  const { entries, unreadable } = envelope;
  const items: Item[] = [];
  const delivery: Delivery = { message, items, unreadable, pending: entries.length };
  items.push(...entries.map((entry) => ({ entry, delivery, ...toScheduling(entry) })));
  return delivery;
}

/**
 * After this many returns, a message is suspected of crashing its process. A single one may be the network, or the end
 * of a replica.
 */
const SUSPECT_RETURNS = 2;

/**
 * Headers of RabbitMQ. From 4.x on it counts the second one even where it does not count the first, as when a consumer
 * disconnects.
 */
const returnCounts = ['x-delivery-count', 'x-acquired-count'] as const;

/** How often the message returned to its queue unhandled. */
export function countReturns({ properties }: Pick<ConsumeMessage, 'properties'>): number {
  const counts = returnCounts.map((name) => Number(properties.headers?.[name] ?? 0));
  return Math.max(...counts.map((count) => (Number.isFinite(count) ? count : 0)));
}

export const isSuspect = ({ message }: Delivery): boolean => countReturns(message) >= SUSPECT_RETURNS;

/**
 * Returns the index of the message to handle alone and first, if there is a suspect. A crash counts against all
 * messages delivered to the consumer, and at the queue's limit the broker gives up on a message. So good messages must
 * be acknowledged before the bad one has used up the limit for all: first those with the fewest returns, since the bad
 * one was there each time, and a random one among equals, so that each crash leaves half of the good ones behind on
 * average, and different ones each time.
 */
export function findSuspect(deliveries: readonly Delivery[], random: () => number = Math.random): number | undefined {
  const suspects = deliveries
    .map(({ message }, index) => ({ index, returns: countReturns(message) }))
    .filter(({ returns }) => returns >= SUSPECT_RETURNS);
  if (suspects.length === 0) return undefined;
  const least = Math.min(...suspects.map(({ returns }) => returns));
  const candidates = suspects.filter(({ returns }) => returns === least);
  return candidates[Math.floor(random() * candidates.length)]?.index;
}
