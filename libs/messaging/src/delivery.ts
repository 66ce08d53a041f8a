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
  /** Later entries that share a key with it wait behind it. */
  readonly keys: readonly string[];
  /** Owner, such as a sales channel, for fair scheduling. */
  readonly lane: string;
  /** At least 1, in the unit of the consumer's `maxBatchCost`. */
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
 * After this many returns, a message is suspected of crashing its process. A single return may also come from the
 * network or the stop of a replica.
 */
const SUSPECT_RETURNS = 2;

/**
 * Headers in which RabbitMQ counts returns. From 4.0 on, it also counts in the second where it does not in the first,
 * such as after a consumer disconnects.
 */
const returnCounts = ['x-delivery-count', 'x-acquired-count'] as const;

/** Returns how often the message returned to its queue unhandled. */
export function countReturns({ properties }: Pick<ConsumeMessage, 'properties'>): number {
  const counts = returnCounts.map((name) => Number(properties.headers?.[name] ?? 0));
  return Math.max(...counts.map((count) => (Number.isFinite(count) ? count : 0)));
}

export const isSuspect = ({ message }: Delivery): boolean => countReturns(message) >= SUSPECT_RETURNS;

/**
 * Returns the index of the message to handle alone and first, if any is suspect. A crash counts as a return of every
 * message that the consumer holds, and at the queue's delivery limit the broker makes a message a dead letter. So good
 * messages must be acknowledged before the bad one has used up their limit. Messages with the fewest returns come
 * first, because the bad one returned each time. Among equals, a random one comes first: on average, half of the good
 * ones are acknowledged before each crash, and different ones each time.
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
