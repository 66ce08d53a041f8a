import type { Item } from './delivery.ts';

const RETRY_FIRST_MS = 250;
const RETRY_AT_MOST_MS = 5_000;

interface Waiting {
  readonly item: Item;
  tries: number;
  dueAtMs: number;
}

/**
 * Entries that somebody else is in the way of, for instance by a lock on their row. They wait here, unacknowledged and
 * in order, while others go on. Whatever shares a key with one of them waits behind it.
 */
export class PutOff {
  #waiting: Waiting[] = [];
  readonly #now: () => number;

  /** @param now milliseconds that never go backwards */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** How many messages are held by what waits. */
  get deliveries(): number {
    return new Set(this.#waiting.map(({ item }) => item.delivery)).size;
  }

  has(item: Item): boolean {
    return this.#waiting.some((each) => each.item === item);
  }

  /** Whether the entry has to wait behind one that waits. */
  isBefore({ keys }: Pick<Item, 'keys'>): boolean {
    return this.#waiting.some(({ item }) => item.keys.some((key) => keys.includes(key)));
  }

  /** Behind all others. It is due when nothing it shares a key with waits before it. */
  add(item: Item): void {
    this.#waiting.push({ item, tries: 0, dueAtMs: this.#now() + RETRY_FIRST_MS });
  }

  /** The one whose turn it is. It stays until it is removed. */
  due(): Item | undefined {
    const now = this.#now();
    return this.#first().find(({ dueAtMs }) => dueAtMs <= now)?.item;
  }

  /** It was tried and has to wait longer. */
  postpone(item: Item): void {
    const waiting = this.#waiting.find((each) => each.item === item);
    if (!waiting) return;
    waiting.tries++;
    waiting.dueAtMs = this.#now() + Math.min(RETRY_FIRST_MS * 2 ** waiting.tries, RETRY_AT_MOST_MS);
  }

  remove(item: Item): void {
    this.#waiting = this.#waiting.filter((each) => each.item !== item);
  }

  clear(): void {
    this.#waiting = [];
  }

  /** Milliseconds until one is due. Undefined when none waits. */
  dueInMs(): number | undefined {
    if (this.#waiting.length === 0) return undefined;
    const next = Math.min(...this.#first().map(({ dueAtMs }) => dueAtMs));
    return Math.max(0, next - this.#now());
  }

  /** Those that wait behind no other. */
  #first(): Waiting[] {
    const seen = new Set<string>();
    return this.#waiting.filter(({ item: { keys } }) => {
      const isFirst = keys.every((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      return isFirst;
    });
  }
}
