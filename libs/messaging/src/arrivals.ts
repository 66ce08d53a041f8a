import { isSuspect, findSuspect, type Delivery, type Item } from './delivery.ts';

/** How much one batch may hold. A single entry that costs more is a batch of its own. */
export interface BatchLimits {
  readonly entries: number;
  /** Sum of {@link Item.cost}. */
  readonly cost: number;
}

interface Lane {
  readonly items: Item[];
  /** Cost that the lane had handled so far, on the clock of {@link Arrivals.#now}. */
  charged: number;
}

/**
 * Holds messages until their batch. Entries of one lane, a sales channel for instance, keep their order. Lanes take
 * turns by cost (self-clocked fair queueing, Golestani 1994): the next entry is the one that brings its lane's charge
 * up the least, so a lane with large entries delays a small one of another lane by the batch under way and not by all
 * that it has waiting here. The consumer's prefetch bounds how much that is; behind it the queue is first come, first
 * served.
 */
export class Arrivals {
  /** Among lanes with the same charge the first one is next. */
  readonly #lanes = new Map<string, Lane>();
  /** Charge of the entry that was taken last. A new lane starts here, so it neither owes nor has saved anything. */
  #now = 0;
  #empty: Delivery[] = [];
  /** Handled alone, in whatever lanes their entries are. */
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
        if (lane) lane.items.push(item);
        else this.#lanes.set(item.lane, { items: [item], charged: this.#now });
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

  /** Takes the next batch: entries in the order of their lanes' turns, until the next one would exceed a limit. */
  take(limits: BatchLimits): Item[] {
    const taken: Item[] = [];
    let cost = 0;
    for (let next = this.#next(); next; next = this.#next()) {
      const { name, lane, item } = next;
      cost += item.cost;
      if (taken.length > 0 && (taken.length >= limits.entries || cost > limits.cost)) break;
      taken.push(item);
      lane.items.shift();
      lane.charged += item.cost;
      this.#now = lane.charged;
      this.#lanes.delete(name);
      if (lane.items.length > 0) this.#lanes.set(name, lane);
    }
    return taken;
  }

  #next(): { readonly name: string; readonly lane: Lane; readonly item: Item } | undefined {
    let next: { name: string; lane: Lane; item: Item } | undefined;
    let least = Infinity;
    for (const [name, lane] of this.#lanes) {
      const [item] = lane.items;
      if (!item || lane.charged + item.cost >= least) continue;
      least = lane.charged + item.cost;
      next = { name, lane, item };
    }
    return next;
  }

  clear(): void {
    this.#lanes.clear();
    this.#now = 0;
    this.#empty = [];
    this.#suspects = [];
  }
}
