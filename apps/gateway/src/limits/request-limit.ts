import { RateLimiter, type Verdict } from './gcra.ts';

const KEYS_AT_MOST = 50_000;

/** What is counted: a user over all keys and tokens, a sales channel over all users, or an address without sign-in. */
type Counted = 'user' | 'channel' | 'address';

/** A rate limit of requests, and how answers tell of it (draft-ietf-httpapi-ratelimit-headers). */
export class RequestLimit {
  /** Value of `RateLimit-Policy`: so many requests (q) in so many seconds (w). */
  readonly policy: string;
  readonly #limiter: RateLimiter;
  readonly #of: Counted;

  constructor(options: { of: Counted; ratePerSecond: number; burst: number; now: () => number }) {
    const { of, ratePerSecond, burst, now } = options;
    this.#of = of;
    this.policy = `"${of}";q=${burst};w=${Math.max(1, Math.ceil(burst / ratePerSecond))}`;
    this.#limiter = new RateLimiter({ ratePerSecond, burst, now, keysAtMost: KEYS_AT_MOST });
  }

  take(key: string): Verdict {
    return this.#limiter.take(key);
  }

  /** Takes so many further requests for the cost of one that was allowed. */
  charge(key: string, requests: number): void {
    this.#limiter.charge(key, requests);
  }

  /** Value of `RateLimit`: requests left (r), and seconds until all are back (t). */
  stateOf({ remaining, resetSeconds }: Verdict): string {
    return `"${this.#of}";r=${remaining};t=${resetSeconds}`;
  }
}
