import { LRUCache } from 'lru-cache';

export interface RateLimiterOptions {
  /** Sustained requests per second. */
  ratePerSecond: number;
  /** Requests in a burst. */
  burst: number;
  /** Maximum callers in memory. The least recent ones are dropped first. */
  maxKeys: number;
  /** Monotonic clock, in milliseconds. */
  now: () => number;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Requests that are allowed at once. */
  readonly remaining: number;
  /** Time until the whole burst is available. */
  readonly resetSeconds: number;
  /** Time until a request is allowed. 0 if this one was. */
  readonly retryAfterSeconds: number;
}

/** Tolerance for rounding errors. */
const ROUNDING_MS = 1e-6;

/**
 * Generic cell rate algorithm. Per key it stores the time at which all requests so far are paid back. It allows a
 * steady rate, restores the burst during pauses, and has no window whose edge allows twice the limit. Libraries count
 * whole windows, or keep a timer per key.
 */
export class RateLimiter {
  readonly #paidBackAt: LRUCache<string, number>;
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #now: () => number;

  constructor(options: RateLimiterOptions) {
    this.#paidBackAt = new LRUCache({ max: options.maxKeys });
    this.#intervalMs = 1_000 / options.ratePerSecond;
    this.#toleranceMs = this.#intervalMs * options.burst;
    this.#now = options.now;
  }

  take(key: string): Verdict {
    const now = this.#now();
    const debtMs = Math.max((this.#paidBackAt.get(key) ?? 0) - now, 0);
    const allowed = debtMs + this.#intervalMs <= this.#toleranceMs + ROUNDING_MS;
    const debtAfterMs = allowed ? debtMs + this.#intervalMs : debtMs;
    if (allowed) this.#paidBackAt.set(key, now + debtAfterMs);
    return this.#verdict(allowed, debtAfterMs);
  }

  /**
   * Charges further requests for the cost of an allowed one. The debt stays below twice the burst, which bounds the
   * wait of the caller.
   */
  charge(key: string, requests: number): void {
    const now = this.#now();
    const debtMs = Math.max((this.#paidBackAt.get(key) ?? 0) - now, 0);
    const owedMs = Math.min(debtMs + requests * this.#intervalMs, Math.max(debtMs, 2 * this.#toleranceMs));
    this.#paidBackAt.set(key, now + owedMs);
  }

  /** Returns the verdict of {@link take} without taking a request. */
  peek(key: string): Verdict {
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
