import type { Item } from './delivery.ts';

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
