import type { PublicReply } from '@saleschannel/edge/pages';
import { LRUCache } from 'lru-cache';

const KEPT_BYTES_AT_MOST = 67_108_864;
/** Also sent to caches (RFC 5861, `stale-if-error`). */
export const STALE_SECONDS_AT_MOST = 3_600;

interface Kept {
  readonly reply: PublicReply;
  atMs: number;
}

/** Answer of the API, or a copy of an earlier answer while the API does not respond. */
export interface CachedReply extends PublicReply {
  /** Undefined for a current answer. */
  readonly ageSeconds: number | undefined;
}

/**
 * Copies of public answers, for times when the API does not respond. Only for data that can only become more public:
 * keys are never withdrawn, shown values of a statement are never hidden again, and public statements stay public
 * (`statement-published`). The state of a certificate can change, so it is not stored.
 */
export class ReplyCache {
  readonly #now: () => number;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES_AT_MOST,
    sizeCalculation: ({ reply }) => reply.body.length + 1_024,
  });

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    return this.#findCopy(key) !== undefined;
  }

  /**
   * Stores an answer of the API. Equal bytes are returned as the same Buffer, as a key for derived data.
   * @param reply has a status of 500 or more if the API did not respond
   */
  store(key: string, reply: PublicReply): CachedReply {
    if (reply.status >= 500) {
      const kept = this.#findCopy(key);
      return kept ? { ...kept.reply, ageSeconds: this.#ageOf(kept) } : { ...reply, ageSeconds: undefined };
    }
    if (reply.status === 200) return { ...this.#keep(key, reply), ageSeconds: undefined };
    // A rate limit says nothing about the content.
    if (reply.status !== 429) this.#kept.delete(key);
    return { ...reply, ageSeconds: undefined };
  }

  #keep(key: string, reply: PublicReply): PublicReply {
    const known = this.#kept.get(key)?.reply;
    const body = known?.body.equals(reply.body) ? known.body : reply.body;
    const kept = { ...reply, body };
    this.#kept.set(key, { reply: kept, atMs: this.#now() });
    return kept;
  }

  #findCopy(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#ageOf(kept) <= STALE_SECONDS_AT_MOST ? kept : undefined;
  }

  #ageOf({ atMs }: Kept): number {
    return Math.max(0, Math.floor((this.#now() - atMs) / 1_000));
  }
}
