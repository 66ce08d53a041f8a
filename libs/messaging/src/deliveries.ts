import type { ConsumeMessage, ConfirmChannel } from 'amqplib';
import type { IntegrationEntry } from '@saleschannel/contracts';
import type { Envelope } from './envelope.ts';
import { publishConfirmed, type Destination } from './amqp.ts';
import { DELIVERY_LIMIT } from './topology.ts';

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

/**
 * A message with this many returns is replaced by a copy, whose count begins at zero. Otherwise repeated outages of a
 * database would use up the queue's delivery limit and turn good messages into dead letters.
 */
const RETURNS_UNTIL_COPIED = DELIVERY_LIMIT / 2;

/** The messages that a consumer holds unacknowledged. */
export class OpenDeliveries {
  readonly #deliveries = new Set<Delivery>();

  get size(): number {
    return this.#deliveries.size;
  }

  add(delivery: Delivery): void {
    this.#deliveries.add(delivery);
  }

  remove(delivery: Delivery): void {
    this.#deliveries.delete(delivery);
  }

  clear(): void {
    this.#deliveries.clear();
  }

  /**
   * Puts copies of messages with many returns at the end of their queue, and acknowledges the originals. The others
   * keep their positions when the channel closes.
   */
  async requeueAsCopies(channel: ConfirmChannel, queue: Destination): Promise<void> {
    const copied = [...this.#deliveries].filter(({ message }) => countReturns(message) >= RETURNS_UNTIL_COPIED);
    for (const delivery of copied) {
      const { message } = delivery;
      const { content, properties } = message;
      await publishConfirmed(channel, queue, content, { type: String(properties.type), replaces: message });
      channel.ack(message);
      this.remove(delivery);
    }
  }
}
