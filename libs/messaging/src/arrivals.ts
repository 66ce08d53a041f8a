import { isSuspect, findSuspect, type Delivery, type Item } from './delivery.ts';

/**
 * Messages that have come and wait for their batch. Entries of one lane, a sales channel for instance, keep their
 * order. Lanes take turns: one that floods the queue delays the others by the batch under way, and not by all that it
 * has waiting here. How much that can be is the consumer's prefetch; behind it the queue serves whoever came first.
 */
export class Arrivals {
  /** The lane whose turn is next is the first one. */
  readonly #lanes = new Map<string, Item[]>();
  #empty: Delivery[] = [];
  /** They are handled alone, whatever lanes they are of. */
  #suspects: Delivery[] = [];

  get isEmpty(): boolean {
    return this.#lanes.size === 0 && this.#empty.length === 0 && this.#suspects.length === 0;
  }

  add(delivery: Delivery): void {
    if (isSuspect(delivery)) this.#suspects.push(delivery);
    else if (delivery.left === 0) this.#empty.push(delivery);
    else {
      for (const item of delivery.items) {
        const lane = this.#lanes.get(item.lane);
        if (lane) lane.push(item);
        else this.#lanes.set(item.lane, [item]);
      }
    }
  }

  /** The message that is to be handled alone and before all others, if there is one. */
  takeSuspect(): Delivery | undefined {
    const place = findSuspect(this.#suspects);
    return place === undefined ? undefined : this.#suspects.splice(place, 1)[0];
  }

  /** Messages of which nothing can be read. */
  takeEmpty(): Delivery[] {
    return this.#empty.splice(0);
  }

  /** One entry of each lane in turn, until there are so many. */
  take(entriesAtMost: number): Item[] {
    const taken: Item[] = [];
    while (taken.length < entriesAtMost) {
      const next = this.#lanes.entries().next();
      if (next.done) break;
      const [lane, items] = next.value;
      this.#lanes.delete(lane);
      // A lane that is alone need not go round.
      const count = this.#lanes.size === 0 ? entriesAtMost - taken.length : 1;
      taken.push(...items.splice(0, count));
      if (items.length > 0) this.#lanes.set(lane, items);
    }
    return taken;
  }

  clear(): void {
    this.#lanes.clear();
    this.#empty = [];
    this.#suspects = [];
  }
}
