import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import { Batcher, type BatchItem, type Logger } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import { hasNewClaims, type Profile, type User } from '../domain/user.ts';
import { storeUses, type Use } from '../store/last-seen.ts';

/** Precision of last-seen times. */
const INTERVAL_MS = 600_000;
/** An evicted user or key costs one more write. */
const MAX_REMEMBERED = 100_000;
/** While the database is slow, further uses are dropped. */
const MAX_WAITING = 10_000;
const MAX_PER_STATEMENT = 500;
const TIMEOUT_MS = 60_000;
/** Do not delay sign-in longer than this for a display name. */
const MAX_NAME_WAIT_MS = 1_000;

export interface LastSeenOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Records when users and keys were last seen, and the claims of users' tokens. Concurrent uses share a statement, and
 * statements run one at a time. Each user or key is written once in ten minutes, or when claims have changed. A failed
 * write is left to the next use.
 */
export class LastSeenRecorder {
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Kind and id → time of the last write, in milliseconds since the epoch. */
  readonly #writtenAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  readonly #writing = new Map<string, Promise<void>>();
  /** New claims that arrived during a write. No later token may repeat them. */
  readonly #nextClaims = new Map<string, UntimedUse>();
  readonly #batcher: Batcher<Use, void>;

  constructor({ database, clock, logger }: LastSeenOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#batcher = new Batcher<Use, void>({
      refusal: (why) =>
        new Error(why === 'late' ? 'The last-seen time was not written in time.' : 'Too many last-seen times wait.'),
      async send(batch: readonly BatchItem<Use, void>[]) {
        await storeUses(
          database.em(),
          batch.map(({ item }) => item),
        );
        for (const each of batch) each.resolve();
      },
      limits: {
        maxConcurrentCalls: 1,
        // Slow batches count too, so that statements run one at a time.
        slowAfterMs: TIMEOUT_MS,
        maxItems: MAX_PER_STATEMENT,
        maxOpen: MAX_WAITING,
        maxOpenPerOwner: MAX_WAITING,
      },
    });
  }

  /**
   * Records a user with a valid token. Waits briefly for the first claims of an introduced user, so that their next
   * request shows their name.
   */
  async recordUser(user: User, profile: Profile): Promise<void> {
    const use = { kind: 'user', id: user.id } as const;
    if (!hasNewClaims(profile, user)) return void this.#record(use);
    const { email, name } = profile;
    const withClaims = { ...use, email: email?.address, emailVerified: email?.isVerified, name };
    const written = this.#record(withClaims, true);
    if (user.lastSeenOn === null) await Promise.race([written, delay(MAX_NAME_WAIT_MS, undefined, { ref: false })]);
  }

  recordApiKey(keyId: string, userId: string): void {
    void this.#record({ kind: 'api-key', id: keyId });
    void this.#record({ kind: 'user', id: userId });
  }

  recordRegistryKey(keyId: string): void {
    void this.#record({ kind: 'registry-key', id: keyId });
  }

  /** @returns the end of the current write, which never rejects */
  #record(use: UntimedUse, hasClaims = false): Promise<void> | undefined {
    const key = `${use.kind} ${use.id}`;
    const now = this.#clock.now().getTime();
    const writtenAt = this.#writtenAt.get(key);
    const isDue = hasClaims || writtenAt === undefined || now - writtenAt >= INTERVAL_MS;
    if (!isDue) return undefined;
    const writing = this.#writing.get(key);
    if (writing) {
      if (hasClaims) this.#nextClaims.set(key, use);
      return writing;
    }
    const written = this.#write(key, { ...use, at: new Date(now).toISOString() }, now);
    this.#writing.set(key, written);
    return written;
  }

  async #write(key: string, use: Use, now: number): Promise<void> {
    try {
      await this.#batcher.request(use, { owner: 'last seen', timeoutMs: TIMEOUT_MS });
      this.#writtenAt.set(key, now);
    } catch (error) {
      this.#logger.debug({ err: error }, 'the last-seen time of a user or key cannot be written');
    } finally {
      this.#writing.delete(key);
      const next = this.#nextClaims.get(key);
      this.#nextClaims.delete(key);
      if (next) void this.#record(next, true);
    }
  }
}

type WithoutTime<T> = T extends Use ? Omit<T, 'at'> : never;
type UntimedUse = WithoutTime<Use>;
