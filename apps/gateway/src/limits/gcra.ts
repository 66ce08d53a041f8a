import { LRUCache } from 'lru-cache';

export interface RateLimiterOptions {
  /** Requests per second for long. */
  ratePerSecond: number;
  /** Requests at once. */
  burst: number;
  /** Callers remembered at most. Those not seen for longest are forgotten first. */
  keysAtMost: number;
  /** Milliseconds that never go backwards. */
  now: () => number;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Requests that could follow at once. */
  readonly remaining: number;
  /** Until all of the burst is back. */
  readonly resetSeconds: number;
  /** Until one request is allowed. 0 when it was. */
  readonly retryAfterSeconds: number;
}

/** Absorbs the rounding of sums of fractions of a millisecond. */
const ROUNDING_MS = 1e-6;

/**
 * The generic cell rate algorithm. Per key it holds only the time at which everything taken so far would be paid back.
 * A steady rate passes evenly, a pause earns back the burst, and there is no window whose edge lets twice the limit
 * through. It is written by hand because the libraries for it count whole windows, or keep a timer for each key.
 */
export class RateLimiter {
  readonly #paidBackAt: LRUCache<string, number>;
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #now: () => number;

  constructor(options: RateLimiterOptions) {
    this.#paidBackAt = new LRUCache({ max: options.keysAtMost });
    this.#intervalMs = 1_000 / options.ratePerSecond;
    this.#toleranceMs = this.#intervalMs * options.burst;
    this.#now = options.now;
  }

  /** Takes one request, if there is one left. */
  take(key: string): Verdict {
    const now = this.#now();
    const debtMs = Math.max((this.#paidBackAt.get(key) ?? 0) - now, 0);
    const allowed = debtMs + this.#intervalMs <= this.#toleranceMs + ROUNDING_MS;
    const debtAfterMs = allowed ? debtMs + this.#intervalMs : debtMs;
    if (allowed) this.#paidBackAt.set(key, now + debtAfterMs);
    return this.#verdict(allowed, debtAfterMs);
  }

  /**
   * Takes so many further requests for the cost of one that was allowed. What is owed stays below twice the burst, so
   * nobody waits longer than it takes to earn two bursts.
   */
  charge(key: string, requests: number): void {
    const now = this.#now();
    const debtMs = Math.max((this.#paidBackAt.get(key) ?? 0) - now, 0);
    const owedMs = Math.min(debtMs + requests * this.#intervalMs, Math.max(debtMs, 2 * this.#toleranceMs));
    this.#paidBackAt.set(key, now + owedMs);
  }

  /** What {@link take} would say, without taking. */
  look(key: string): Verdict {
    const debtMs = Math.max((this.#paidBackAt.get(key) ?? 0) - this.#now(), 0);
    return this.#verdict(debtMs + this.#intervalMs <= this.#toleranceMs + ROUNDING_MS, debtMs);
  }

  #verdict(allowed: boolean, debtMs: number): Verdict {
    return {
      allowed,
      remaining: Math.max(0, Math.floor((this.#toleranceMs - debtMs + ROUNDING_MS) / this.#intervalMs)),
      resetSeconds: Math.ceil((debtMs - ROUNDING_MS) / 1_000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((debtMs + this.#intervalMs - this.#toleranceMs) / 1_000)),
    };
  }
}
