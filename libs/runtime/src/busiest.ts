/** How many keys have figures of their own. */
const NAMED_AT_MOST = 50;
/** Between two looks at who is busiest. */
const WINDOW_MS = 60_000;
/** Keys that are counted in a window. */
const COUNTED_AT_MOST = 10_000;
/** Whoever is named stays so until somebody else is so many times as busy: series that come and go say little. */
const STAYS_BY = 2;

/** The name of all others. */
export const OTHERS = 'other';

/** One figure: whose, of what kind, and how many there were. */
export interface BusiestCount {
  readonly key: string;
  readonly kind: string;
  readonly count: number;
}

/**
 * Counts by a key that has too many values for a label, such as the sales channel: the busiest of the last minute by
 * their names, all others as one. Whoever is named anew begins at 0, and whoever is not any more is not told of: to
 * those who read them, both are counters of a process that has begun again.
 */
export class BusiestCounts {
  readonly #now: () => number;
  readonly #namedAtMost: number;
  readonly #named = new Map<string, Map<string, number>>();
  readonly #others = new Map<string, number>();
  #recent = new Map<string, number>();
  #windowStart: number;

  constructor(options: { now?: () => number; namedAtMost?: number } = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#namedAtMost = options.namedAtMost ?? NAMED_AT_MOST;
    this.#windowStart = this.#now();
  }

  add(key: string, kind: string): void {
    const recent = this.#recent.get(key);
    if (recent !== undefined || this.#recent.size < COUNTED_AT_MOST) this.#recent.set(key, (recent ?? 0) + 1);
    let counts = this.#named.get(key);
    if (!counts && this.#named.size < this.#namedAtMost) this.#named.set(key, (counts = new Map()));
    counts ??= this.#others;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  read(): BusiestCount[] {
    if (this.#now() - this.#windowStart >= WINDOW_MS) this.#nameAnew();
    return [...this.#named, [OTHERS, this.#others] as const].flatMap(([key, counts]) =>
      [...counts].map(([kind, count]) => ({ key, kind, count })),
    );
  }

  #nameAnew(): void {
    const rankOf = (key: string): number => (this.#recent.get(key) ?? 0) * (this.#named.has(key) ? STAYS_BY : 1);
    const ranked = [...new Set([...this.#named.keys(), ...this.#recent.keys()])].toSorted(
      (one, other) => rankOf(other) - rankOf(one),
    );
    const busiest = new Set(ranked.slice(0, this.#namedAtMost));
    for (const key of this.#named.keys()) if (!busiest.has(key)) this.#named.delete(key);
    for (const key of busiest) if (!this.#named.has(key)) this.#named.set(key, new Map());
    this.#recent = new Map();
    this.#windowStart = this.#now();
  }
}
