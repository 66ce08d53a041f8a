import { RateLimiter, type Verdict } from './gcra.ts';

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

  /** Charges further requests for the cost of an allowed one. */
  charge(key: string, requests: number): void {
    this.#limiter.charge(key, requests);
  }

  /** Value of `RateLimit`: remaining requests (r), and seconds until the whole burst is available (t). */
  formatState({ remaining, resetSeconds }: Verdict): string {
    return `"${this.#of}";r=${remaining};t=${resetSeconds}`;
  }
}
