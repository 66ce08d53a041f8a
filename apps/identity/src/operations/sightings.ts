import type { Database } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import { Gatherer, type Gathered, type Logger } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import { isNews, type Profile, type User } from '../domain/user.ts';
import { keepSightings, type Sighting } from '../store/sightings.ts';

/** People ask whether a key is still in use, not at which second. */
const AGAIN_AFTER_MS = 600_000;
/** Whoever is forgotten is noted once more, which costs a write and changes nothing else. */
const REMEMBERED_AT_MOST = 100_000;
/** While the database is slow, more are left out: the next time will do. */
const WAITING_AT_MOST = 10_000;
const PER_STATEMENT_AT_MOST = 500;
const TIMEOUT_MS = 60_000;
/** Nobody is kept from signing in for the sake of what they are called. */
const NAME_WAIT_MS = 1_000;

export interface SightingsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Notes when users and keys were seen last, and what tokens say of their users. What is noted at the same time is
 * written with one statement, one after the other, and each user or key once in ten minutes, or when their token says
 * something new. When that fails the next time will do.
 */
export class Sightings {
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Kind and id → when it was written last, in milliseconds since the epoch. */
  readonly #written = new LRUCache<string, number>({ max: REMEMBERED_AT_MOST });
  readonly #underWay = new Map<string, Promise<void>>();
  /** What a token has said of a user meanwhile: nothing else may say it again. */
  readonly #news = new Map<string, Unplaced>();
  readonly #gatherer: Gatherer<Sighting, void>;

  constructor({ database, clock, logger }: SightingsOptions) {
    this.#clock = clock;
    this.#logger = logger;
    this.#gatherer = new Gatherer<Sighting, void>({
      refusal: (why) => new Error(`sightings are too ${why === 'late' ? 'late' : 'many'}`),
      async ask(batch: readonly Gathered<Sighting, void>[]) {
        await keepSightings(
          database.em(),
          batch.map(({ item }) => item),
        );
        for (const each of batch) each.resolve();
      },
      limits: {
        batchesAtMost: 1,
        // One at a time, however long it takes.
        slowAfterMs: TIMEOUT_MS,
        itemsAtMost: PER_STATEMENT_AT_MOST,
        openAtMost: WAITING_AT_MOST,
        openEachAtMost: WAITING_AT_MOST,
      },
    });
  }

  /**
   * A user with a good token. Resolves at once, except for the first token of somebody who was made known before: what
   * they ask next shows what they are called.
   */
  async userWithToken(user: User, profile: Profile): Promise<void> {
    const seen = { kind: 'user', id: user.id } as const;
    if (!isNews(profile, user)) return void this.#note(seen);
    const { email, name } = profile;
    const said = { ...seen, email: email?.address, emailVerified: email?.isVerified, name };
    const written = this.#note(said, true);
    if (user.lastSeenOn === null) await Promise.race([written, delay(NAME_WAIT_MS, undefined, { ref: false })]);
  }

  /** A good API key, and with it its user. */
  apiKey(keyId: string, userId: string): void {
    void this.#note({ kind: 'api-key', id: keyId });
    void this.#note({ kind: 'user', id: userId });
  }

  registryKey(keyId: string): void {
    void this.#note({ kind: 'registry-key', id: keyId });
  }

  /** @returns the end of what is written of it now, which does not fail */
  #note(seen: Unplaced, isNew = false): Promise<void> | undefined {
    const key = `${seen.kind} ${seen.id}`;
    const now = this.#clock.now().getTime();
    const writtenAt = this.#written.get(key);
    const isDue = isNew || writtenAt === undefined || now - writtenAt >= AGAIN_AFTER_MS;
    if (!isDue) return undefined;
    const underWay = this.#underWay.get(key);
    if (underWay) {
      if (isNew) this.#news.set(key, seen);
      return underWay;
    }
    const written = this.#write(key, { ...seen, at: new Date(now).toISOString() }, now);
    this.#underWay.set(key, written);
    return written;
  }

  async #write(key: string, sighting: Sighting, now: number): Promise<void> {
    try {
      await this.#gatherer.ask(sighting, { owner: 'sightings', timeoutMs: TIMEOUT_MS });
      this.#written.set(key, now);
    } catch (error) {
      this.#logger.debug({ err: error }, 'when a user or key was seen cannot be noted');
    } finally {
      this.#underWay.delete(key);
      const news = this.#news.get(key);
      this.#news.delete(key);
      if (news) void this.#note(news, true);
    }
  }
}

type WithoutTime<T> = T extends Sighting ? Omit<T, 'at'> : never;
type Unplaced = WithoutTime<Sighting>;
