import { LRUCache } from 'lru-cache';
import { networkOf } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import { RateLimiter, type Verdict } from './gcra.ts';
import { Lanes } from './lanes.ts';

const REMEMBERED_AT_MOST = 50_000;
/** For so long a credential that failed is not asked about again, once its address or key id fails too often. */
const FAILED_MEMORY_MS = 10_000;

/** Someone shows a credential. */
export interface Attempt {
  readonly address: string;
  /** The key id, or what identifies the token. Undefined for what is no credential at all. */
  readonly id: string | undefined;
  /** Tells this credential, secret included, from all others. A hash. */
  readonly fingerprint: string;
}

/** Credentials that are checked at the same time in one lane. */
const CHECKED_AT_ONCE = 4;

/** A credential that failed, from an address or with a key id that fails too often. */
export class LoginsLimited extends DomainError {
  constructor({ retryAfterSeconds }: Pick<Verdict, 'retryAfterSeconds'>) {
    super('rate-limited', 'Too many failed log-ins from this address or with this key id.', { retryAfterSeconds });
  }
}

/**
 * Limits failed log-ins per address and per key id, and never stops a credential that is good. Whether it is good is
 * known only when identity has said so, hence no attempt is refused before that. What is limited is the work instead:
 * those whose address or key id fails too often wait in a line of their own, in which a few are checked at a time. A
 * credential that was good before does not wait, and one that failed a moment ago is not checked again.
 */
export class FailedLogins {
  readonly #addresses: RateLimiter;
  readonly #ids: RateLimiter;
  readonly #good = new LRUCache<string, true>({ max: REMEMBERED_AT_MOST });
  /** Fingerprint → when it failed. */
  readonly #failed = new LRUCache<string, number>({ max: REMEMBERED_AT_MOST });
  readonly #lanes: Lanes;
  readonly #now: () => number;

  constructor(options: { perMinute: number; perKeyIdPerMinute: number; now: () => number }) {
    const { perMinute, perKeyIdPerMinute, now } = options;
    const limiter = (most: number) =>
      new RateLimiter({ now, ratePerSecond: most / 60, burst: most, keysAtMost: REMEMBERED_AT_MOST });
    this.#addresses = limiter(perMinute);
    this.#ids = limiter(perKeyIdPerMinute);
    this.#lanes = new Lanes(now, CHECKED_AT_ONCE);
    this.#now = now;
  }

  /**
   * @param ask finds out whom the credential stands for
   * @throws LoginsLimited instead of 'unauthenticated' when the limit is used up, and whatever else `ask` throws
   */
  verify<T>(attempt: Attempt, ask: () => Promise<T>): Promise<T> {
    const limit = this.#limitOf(attempt);
    if (!limit || this.#good.has(attempt.fingerprint)) return this.#ask(attempt, ask, limit?.verdict);
    const failedAtMs = this.#failed.get(attempt.fingerprint);
    if (failedAtMs !== undefined && this.#now() - failedAtMs < FAILED_MEMORY_MS) throw new LoginsLimited(limit.verdict);
    const limited = () => new LoginsLimited(limit.verdict);
    const work = this.#lanes.run(limit.lane, () => this.#ask(attempt, ask, limit.verdict), limited);
    if (!work) throw limited();
    return work;
  }

  /** The limit that is used up, with the line in which to wait. An attacked key id does not hold up its address. */
  #limitOf({ address, id }: Attempt): { lane: string; verdict: Verdict } | undefined {
    const ofId = id === undefined ? undefined : this.#ids.look(id);
    if (ofId && !ofId.allowed) return { lane: `id ${id}`, verdict: ofId };
    const network = networkOf(address);
    const ofAddress = this.#addresses.look(network);
    return ofAddress.allowed ? undefined : { lane: `address ${network}`, verdict: ofAddress };
  }

  async #ask<T>({ address, id, fingerprint }: Attempt, ask: () => Promise<T>, limit: Verdict | undefined): Promise<T> {
    try {
      const found = await ask();
      this.#good.set(fingerprint, true);
      return found;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthenticated') throw error;
      this.#good.delete(fingerprint);
      this.#failed.set(fingerprint, this.#now());
      this.#addresses.take(networkOf(address));
      if (id !== undefined) this.#ids.take(id);
      throw limit ? new LoginsLimited(limit) : error;
    }
  }
}
