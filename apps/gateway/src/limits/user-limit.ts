import { RateLimiter, type Verdict } from './gcra.ts';

const USERS_AT_MOST = 50_000;

/**
 * The rate limit of users, over all their keys and tokens, and how answers tell of it
 * (draft-ietf-httpapi-ratelimit-headers).
 */
export class UserLimit {
  /** Value of `RateLimit-Policy`: so many requests (q) in so many seconds (w). */
  readonly policy: string;
  readonly #limiter: RateLimiter;

  constructor(options: { ratePerSecond: number; burst: number; now: () => number }) {
    this.policy = `"user";q=${options.burst};w=${Math.max(1, Math.ceil(options.burst / options.ratePerSecond))}`;
    this.#limiter = new RateLimiter({ ...options, keysAtMost: USERS_AT_MOST });
  }

  take(user: string): Verdict {
    return this.#limiter.take(user);
  }
}

/** Value of `RateLimit`: requests left (r), and seconds until all are back (t). */
export const rateLimitHeader = (verdict: Verdict): string => `"user";r=${verdict.remaining};t=${verdict.resetSeconds}`;
