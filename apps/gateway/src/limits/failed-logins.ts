import { LRUCache } from 'lru-cache';
import { toNetwork } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import { FairShare } from '@saleschannel/runtime';
import { QUEUE_LIMITS } from './channel-queues.ts';
import { RateLimiter, type Verdict } from './rate-limit.ts';

const REMEMBERED_AT_MOST = 50_000;
/** A failed credential is not checked again for this time once its address or key id fails too often. */
const FAILED_MEMORY_MS = 10_000;

export interface Attempt {
  readonly address: string;
  /** Key id, or an identifier of the token. Undefined if the credential is malformed. */
  readonly id: string | undefined;
  /** Hash of the whole credential, secret included. */
  readonly fingerprint: string;
}

/** Maximum credentials of one queue that are checked at the same time. */
const CHECKED_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 1;

/** Thrown for a failed credential whose address or key id fails too often. */
export class LoginsLimited extends DomainError {
  constructor({ retryAfterSeconds }: Pick<Verdict, 'retryAfterSeconds'>) {
    super('rate-limited', 'Too many failed log-ins from this address or with this key id.', { retryAfterSeconds });
  }
}

/**
 * Limits failed log-ins per address and per key id, and never rejects a valid credential. Only identity can tell a
 * valid one, so no attempt is rejected before the check. The work is limited instead: attempts from an address or with
 * a key id that fails too often queue up, and a few of each queue are checked at a time. A credential that was valid
 * before skips the queue, and one that failed recently is not checked again.
 */
export class FailedLogins {
  readonly #addresses: RateLimiter;
  readonly #ids: RateLimiter;
  readonly #valid = new LRUCache<string, true>({ max: REMEMBERED_AT_MOST });
  readonly #failed = new LRUCache<string, number>({ max: REMEMBERED_AT_MOST });
  readonly #queue: FairShare;
  readonly #now: () => number;

  constructor(options: { perMinute: number; perKeyIdPerMinute: number; now: () => number }) {
    const { perMinute, perKeyIdPerMinute, now } = options;
    const limiter = (most: number) =>
      new RateLimiter({ now, ratePerSecond: most / 60, burst: most, maxKeys: REMEMBERED_AT_MOST });
    this.#addresses = limiter(perMinute);
    this.#ids = limiter(perKeyIdPerMinute);
    const refusal = () => new LoginsLimited({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#queue = new FairShare({ ...QUEUE_LIMITS, maxConcurrentPerOwner: CHECKED_AT_ONCE, now, refusal });
    this.#now = now;
  }

  /** @throws LoginsLimited instead of 'unauthenticated' above the limit, and any other error of `check` */
  verify<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
    const limit = this.#exceededLimit(attempt);
    if (!limit || this.#valid.has(attempt.fingerprint)) return this.#check(attempt, check, limit?.verdict);
    const failedAtMs = this.#failed.get(attempt.fingerprint);
    if (failedAtMs !== undefined && this.#now() - failedAtMs < FAILED_MEMORY_MS) throw new LoginsLimited(limit.verdict);
    const limited = () => new LoginsLimited(limit.verdict);
    return this.#queue.run(limit.queue, () => this.#check(attempt, check, limit.verdict), limited);
  }

  /** Returns the exhausted limit and its queue. An attack on a key id does not delay other keys at its address. */
  #exceededLimit({ address, id }: Attempt): { queue: string; verdict: Verdict } | undefined {
    const ofId = id === undefined ? undefined : this.#ids.peek(id);
    if (ofId && !ofId.allowed) return { queue: `id ${id}`, verdict: ofId };
    const network = toNetwork(address);
    const ofAddress = this.#addresses.peek(network);
    return ofAddress.allowed ? undefined : { queue: `address ${network}`, verdict: ofAddress };
  }

  async #check<T>(
    { address, id, fingerprint }: Attempt,
    check: () => Promise<T>,
    limit: Verdict | undefined,
  ): Promise<T> {
    try {
      const principal = await check();
      this.#valid.set(fingerprint, true);
      return principal;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unauthenticated') throw error;
      this.#valid.delete(fingerprint);
      this.#failed.set(fingerprint, this.#now());
      this.#addresses.take(toNetwork(address));
      if (id !== undefined) this.#ids.take(id);
      throw limit ? new LoginsLimited(limit) : error;
    }
  }
}
