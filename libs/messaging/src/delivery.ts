import type { ConsumeMessage } from 'amqplib';
import type { IntegrationEntry } from '@saleschannel/contracts';
import type { Envelope } from './envelope.ts';

/** A message that this consumer has and has not acknowledged. */
export interface Delivery {
  readonly message: ConsumeMessage;
  readonly items: readonly Item[];
  /** Bodies of entries that cannot be read. */
  readonly unreadable: readonly Buffer[];
  /** Entries that are neither handled nor dead letters yet. */
  left: number;
}

/** One entry of a delivery. */
export interface Item {
  readonly entry: IntegrationEntry;
  readonly delivery: Delivery;
  /** Whatever shares a key with it keeps its place behind it. */
  readonly keys: readonly string[];
  /** Its owner, such as a sales channel: lanes take turns. */
  readonly lane: string;
  /** Work that it takes, at least 1, in the unit of the consumer's `batchCostAtMost`. */
  readonly cost: number;
}

export function openDelivery(
  message: ConsumeMessage,
  envelope: Extract<Envelope, { kind: 'known' }>,
  placeOf: (entry: IntegrationEntry) => Pick<Item, 'keys' | 'lane' | 'cost'>,
): Delivery {
  const { entries, unreadable } = envelope;
  const items: Item[] = [];
  const delivery: Delivery = { message, items, unreadable, left: entries.length };
  items.push(...entries.map((entry) => ({ entry, delivery, ...placeOf(entry) })));
  return delivery;
}

/**
 * From so many returns on a message is suspected of ending the process that handles it. One may be the network, or the
 * end of a replica.
 */
const RETURNS_OF_A_SUSPECT = 2;

/** Of RabbitMQ. The second one is counted from 4.x on also where the first one is not, as when a consumer is gone. */
const returnCounts = ['x-delivery-count', 'x-acquired-count'] as const;

/** How often the message came back to its queue without having been handled. */
export function returnsOf({ properties }: Pick<ConsumeMessage, 'properties'>): number {
  const counts = returnCounts.map((name) => Number(properties.headers?.[name] ?? 0));
  return Math.max(...counts.map((count) => (Number.isFinite(count) ? count : 0)));
}

export const isSuspect = ({ message }: Delivery): boolean => returnsOf(message) >= RETURNS_OF_A_SUSPECT;

/**
 * The place of the message that is to be handled alone and first, if there is a suspect. A crash counts against all
 * messages on their way to the consumer, and at the queue's limit the broker gives a message up. So the good ones
 * have to be done and acknowledged before the bad one has used up the limit for all of them: first those that came
 * back least, since the bad one was there each time, and among equals one at random, so that each crash leaves half
 * of the good ones behind on average, and not the same ones each time.
 */
export function findSuspect(deliveries: readonly Delivery[], random: () => number = Math.random): number | undefined {
  const suspects = deliveries
    .map(({ message }, place) => ({ place, returns: returnsOf(message) }))
    .filter(({ returns }) => returns >= RETURNS_OF_A_SUSPECT);
  if (suspects.length === 0) return undefined;
  const least = Math.min(...suspects.map(({ returns }) => returns));
  const candidates = suspects.filter(({ returns }) => returns === least);
  return candidates[Math.floor(random() * candidates.length)]?.place;
}
