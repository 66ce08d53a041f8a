import { isSuspect, findSuspect, type Delivery, type Item } from './deliveries.ts';

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

interface Waiting {
  readonly item: Item;
  tries: number;
  dueAtMs: number;
}

/**
 * Entries that met a conflict, such as a row locked by another transaction. They wait, unacknowledged and in order,
 * while others continue. Entries that share a key with one of them wait behind it.
 */
export class DeferredEntries {
  #waiting: Waiting[] = [];
  readonly #now: () => number;

  /** @param now monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Number of messages with deferred entries. */
  get deliveries(): number {
    return new Set(this.#waiting.map(({ item }) => item.delivery)).size;
  }

  has(item: Item): boolean {
    return this.#waiting.some((each) => each.item === item);
  }

  /** Whether the entry must wait behind a deferred one. */
  blocks({ keys }: Pick<Item, 'keys'>): boolean {
    return this.#waiting.some(({ item }) => item.keys.some((key) => keys.includes(key)));
  }

  /** Adds an entry at the end. It is not due before all earlier entries that share a key with it are removed. */
  add(item: Item): void {
    this.#waiting.push({ item, tries: 0, dueAtMs: this.#now() + FIRST_RETRY_MS });
  }

  /** Returns the entry to retry next, which stays until it is removed. */
  findDue(): Item | undefined {
    const now = this.#now();
    return this.#first().find(({ dueAtMs }) => dueAtMs <= now)?.item;
  }

  /** Defers an entry again, for longer, after a failed retry. */
  postpone(item: Item): void {
    const waiting = this.#waiting.find((each) => each.item === item);
    if (!waiting) return;
    waiting.tries++;
    waiting.dueAtMs = this.#now() + Math.min(FIRST_RETRY_MS * 2 ** waiting.tries, MAX_RETRY_MS);
  }

  remove(item: Item): void {
    this.#waiting = this.#waiting.filter((each) => each.item !== item);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Returns the milliseconds until the next entry is due, or undefined without entries. */
  dueInMs(): number | undefined {
    if (this.#waiting.length === 0) return undefined;
    const next = Math.min(...this.#first().map(({ dueAtMs }) => dueAtMs));
    return Math.max(0, next - this.#now());
  }

  /** Returns the entries that do not wait behind another. */
  #first(): Waiting[] {
    const seen = new Set<string>();
    return this.#waiting.filter(({ item: { keys } }) => {
      const isFirst = keys.every((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      return isFirst;
    });
  }
}

/** Limits of one batch. An entry above the cost limit forms a batch of its own. */
export interface BatchLimits {
  readonly entries: number;
  /** Sum of {@link Item.cost}. */
  readonly cost: number;
}

interface Lane {
  readonly items: Item[];
  /** Virtual time up to which the lane has been served, see {@link Arrivals.#now}. */
  charged: number;
}

/**
 * Holds messages until they are batched. Entries of one lane, such as a sales channel, keep their order. Lanes share
 * work by cost (self-clocked fair queueing, Golestani 1994): the next entry is the one that raises its lane's charge
 * the least. So large entries of one lane delay a small entry of another by the current batch, not by their whole
 * backlog here. The consumer's prefetch bounds that backlog; the broker's queue behind it is first come, first served.
 */
export class Arrivals {
  /** Among lanes with the same charge, the first one is next. */
  readonly #lanes = new Map<string, Lane>();
  /** Virtual time: the charge of the last entry taken. A new lane starts here, with neither credit nor debt. */
  #now = 0;
  #empty: Delivery[] = [];
  /** Messages to handle alone, regardless of the lanes of their entries. */
  #suspects: Delivery[] = [];

  get isEmpty(): boolean {
    return this.#lanes.size === 0 && this.#empty.length === 0 && this.#suspects.length === 0;
  }

  add(delivery: Delivery): void {
    if (isSuspect(delivery)) this.#suspects.push(delivery);
    else if (delivery.pending === 0) this.#empty.push(delivery);
    else {
      for (const item of delivery.items) {
        const lane = this.#lanes.get(item.lane);
        if (lane) lane.items.push(item);
        else this.#lanes.set(item.lane, { items: [item], charged: this.#now });
      }
    }
  }

  /** Removes and returns the message to handle alone before all others, if there is one. */
  takeSuspect(): Delivery | undefined {
    const index = findSuspect(this.#suspects);
    return index === undefined ? undefined : this.#suspects.splice(index, 1)[0];
  }

  /** Removes and returns messages without a readable entry. */
  takeEmpty(): Delivery[] {
    return this.#empty.splice(0);
  }

  /**
   * Takes the next batch: entries in the order in which their lanes are served, until the next one would exceed a
   * limit.
   */
  take(limits: BatchLimits): Item[] {
    const batch: Item[] = [];
    let cost = 0;
    for (let next = this.#next(); next; next = this.#next()) {
      const { name, lane, item } = next;
      cost += item.cost;
      if (batch.length > 0 && (batch.length >= limits.entries || cost > limits.cost)) break;
      batch.push(item);
      lane.items.shift();
      lane.charged += item.cost;
      this.#now = lane.charged;
      this.#lanes.delete(name);
      if (lane.items.length > 0) this.#lanes.set(name, lane);
    }
    return batch;
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
