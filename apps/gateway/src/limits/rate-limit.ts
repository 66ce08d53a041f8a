import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';

/** Cost of a request, beyond its count. */
export interface RequestCost {
  /** Body size: announced, or actual once it has been read. */
  bodyBytes: number;
  threadMs: number;
  /** Duration of a read, without its queue time. */
  readMs: number;
}

/** Bytes included in one request of a rate limit. More bytes count as further requests. */
const BYTES_PER_REQUEST = 16_384;
/** A client may announce any length. Bytes beyond this are discarded unread, and not charged. */
const BODY_BYTES_AT_MOST = 1_048_576;
const THREAD_MS_PER_REQUEST = 0.5;
const READ_MS_PER_REQUEST = 10;
/** Longer reads mostly wait, for the client or for an unavailable service. */
const READ_MS_AT_MOST = 1_000;

/**
 * Returns the maximum body size by the headers. A request that is rejected before its body is read is charged for it,
 * since the body arrives and is discarded.
 */
export function readAnnouncedBytes({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_BYTES_AT_MOST;
  return Number(headers['content-length'] ?? 0);
}

/** Returns the further requests to charge. 0 for usual requests. */
export const countFurtherRequests = ({ bodyBytes, threadMs, readMs }: RequestCost): number =>
  Math.floor(Math.min(bodyBytes, BODY_BYTES_AT_MOST) / BYTES_PER_REQUEST) +
  Math.floor(threadMs / THREAD_MS_PER_REQUEST) +
  Math.floor(Math.min(readMs, READ_MS_AT_MOST) / READ_MS_PER_REQUEST);

/** Further responses are sent at once, so that the number in memory is bounded. */
const DELAYED_AT_MOST = 10_000;

/**
 * Delays responses to requests above the rate limit. Clients that retry at once would otherwise keep the gateway busy
 * with refusals at the expense of others; a delay allows them a few per second on each connection. Clients that respect
 * `Retry-After` lose nothing.
 */
export class ThrottledResponses {
  readonly #delayMs: number;
  readonly #maxDelayed: number;
  #delayed = 0;

  /** @param options.delayMs 0 delays nothing */
  constructor({ delayMs, maxDelayed = DELAYED_AT_MOST }: { readonly delayMs: number; readonly maxDelayed?: number }) {
    this.#delayMs = delayMs;
    this.#maxDelayed = maxDelayed;
  }

  /** Resolves when the response may be sent, or when the client has disconnected. */
  async delay(disconnected: AbortSignal): Promise<void> {
    if (this.#delayMs === 0 || this.#delayed >= this.#maxDelayed || disconnected.aborted) return;
    this.#delayed += 1;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#delayMs);
      const release = (): void => {
        clearTimeout(timer);
        resolve();
      };
      disconnected.addEventListener('abort', release, { once: true });
    });
    this.#delayed -= 1;
  }
}

export interface RateLimiterOptions {
  ratePerSecond: number;
  burst: number;
  /** Maximum callers in memory. The least recent ones are dropped first. */
  maxKeys: number;
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

  /** Charges further requests. The debt stays below twice the burst, which bounds the wait of the caller. */
  charge(key: string, requests: number): void {
    const now = this.#now();
    const debtMs = Math.max((this.#paidBackAt.get(key) ?? 0) - now, 0);
    const owedMs = Math.min(debtMs + requests * this.#intervalMs, Math.max(debtMs, 2 * this.#toleranceMs));
    this.#paidBackAt.set(key, now + owedMs);
  }

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

const KEYS_AT_MOST = 50_000;

/** A user over all keys and tokens, a sales channel over all users, or an address without sign-in. */
type Counted = 'user' | 'channel' | 'address';

/** Rate limit with its response headers (draft-ietf-httpapi-ratelimit-headers). */
export class RequestLimit {
  /** Value of `RateLimit-Policy`: requests (q) per seconds (w). */
  readonly policy: string;
  readonly #limiter: RateLimiter;
  readonly #of: Counted;

  constructor(options: { of: Counted; ratePerSecond: number; burst: number; now: () => number }) {
    const { of, ratePerSecond, burst, now } = options;
    this.#of = of;
    this.policy = `"${of}";q=${burst};w=${Math.max(1, Math.ceil(burst / ratePerSecond))}`;
    this.#limiter = new RateLimiter({ ratePerSecond, burst, now, maxKeys: KEYS_AT_MOST });
  }

  take(key: string): Verdict {
    return this.#limiter.take(key);
  }

  charge(key: string, requests: number): void {
    this.#limiter.charge(key, requests);
  }

  /** Value of `RateLimit`: remaining requests (r), and seconds until the whole burst is available (t). */
  formatState({ remaining, resetSeconds }: Verdict): string {
    return `"${this.#of}";r=${remaining};t=${resetSeconds}`;
  }
}
