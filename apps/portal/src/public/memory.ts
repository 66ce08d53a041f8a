import type { PublicReply } from '@saleschannel/edge/pages';
import { LRUCache } from 'lru-cache';

const KEPT_BYTES_AT_MOST = 67_108_864;
/** Also told to caches (RFC 5861, `stale-if-error`). */
export const STALE_SECONDS_AT_MOST = 3_600;

interface Kept {
  readonly reply: PublicReply;
  atMs: number;
}

/** An answer of the API, or what it answered before when it gives none now. */
export interface Remembered extends PublicReply {
  /** Undefined: the API said so just now. */
  readonly ageSeconds: number | undefined;
}

/**
 * Remembers what the API told the public, for when it gives no answer. Only for what can do nothing in the meantime but
 * become more public: keys are never taken away, nothing that a statement has shown is hidden again, and a public one
 * stays public (`statement-published`). A copy that hides a beneficiary goes on hiding it. The state of a certificate
 * can change, and is not kept.
 */
export class Memory {
  readonly #now: () => number;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES_AT_MOST,
    sizeCalculation: ({ reply }) => reply.body.length + 1_024,
  });

  /** @param now in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(key: string): boolean {
    return this.#copyOf(key) !== undefined;
  }

  /**
   * Notes what the API answered. The same bytes are returned as the same Buffer, so that what is known of them can be
   * kept by it.
   * @param reply with a status of 500 or more where the API gave no answer
   */
  note(key: string, reply: PublicReply): Remembered {
    if (reply.status >= 500) {
      const kept = this.#copyOf(key);
      return kept ? { ...kept.reply, ageSeconds: this.#ageOf(kept) } : { ...reply, ageSeconds: undefined };
    }
    if (reply.status === 200) return { ...this.#keep(key, reply), ageSeconds: undefined };
    // Being asked too much says nothing of what is there.
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

  #copyOf(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#ageOf(kept) <= STALE_SECONDS_AT_MOST ? kept : undefined;
  }

  #ageOf({ atMs }: Kept): number {
    return Math.max(0, Math.floor((this.#now() - atMs) / 1_000));
  }
}
