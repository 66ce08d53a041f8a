import type { ConfirmChannel } from 'amqplib';
import { publishConfirmed, type Destination } from './confirmed.ts';
import { countReturns, type Delivery } from './delivery.ts';
import { DELIVERY_LIMIT } from './topology.ts';

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
