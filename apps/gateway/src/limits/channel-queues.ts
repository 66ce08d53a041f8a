import { DomainError } from '@saleschannel/errors';
import type { LargeBodyQueue } from '@saleschannel/edge';
import { FairShare } from '@saleschannel/runtime';

/** Larger bodies queue up. */
export const SMALL_BODY_BYTES = 16_384;
/** Maximum large bodies of one sales channel that are read and checked at the same time. */
const LARGE_BODIES_AT_ONCE = 1;
/** Maximum concurrent reads of one sales channel that call several services each, such as those of the audit trail. */
const WIDE_READS_AT_ONCE = 1;
/** Slower work gives up its place and continues, so that a slow sender, reader or service does not block the queue. */
const SLOW_MS = 1_000;
const RETRY_AFTER_SECONDS = 1;

/** Limits of each queue of requests. A request that has queued for longer than `maxQueueMs` is rejected. */
export const QUEUE_LIMITS = { maxConcurrent: Infinity, maxQueuedPerOwner: 1_000, maxQueueMs: 5_000 };

const refusal = (why: 'full' | 'late'): DomainError =>
  why === 'full'
    ? new DomainError('rate-limited', 'Too many requests of your sales channel are waiting. Retry later.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    : new DomainError('unavailable', 'The request waited too long for other requests. Retry later.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });

/** Place of one large body in its queue, from its first byte beyond {@link SMALL_BODY_BYTES} until it is checked. */
export interface BodySlot extends LargeBodyQueue {
  /** Gives up the place, or leaves the queue. */
  release(): void;
}

/**
 * Bounds the concurrent work of each sales channel, so that a flood of its requests leaves the thread, the services and
 * the database to other channels. Further requests queue up; only a full queue, or five seconds in it, rejects them.
 */
export class ChannelQueues {
  readonly #reads: FairShare;
  readonly #wideReads: FairShare;
  readonly #bodies: FairShare;

  constructor({ readsAtOnce, now }: { readonly readsAtOnce: number; readonly now: () => number }) {
    const queue = (maxConcurrentPerOwner: number) =>
      new FairShare({ ...QUEUE_LIMITS, maxConcurrentPerOwner, now, refusal });
    this.#reads = queue(readsAtOnce);
    this.#wideReads = queue(WIDE_READS_AT_ONCE);
    this.#bodies = queue(LARGE_BODIES_AT_ONCE);
  }

  /**
   * Runs a read, queued behind others of the same owner at the same services: an unresponsive service delays no reads
   * of other services.
   * @param work may give up its place to the next read before it ends
   * @throws DomainError 'rate-limited' if the queue is full, 'unavailable' after too long in it
   */
  async runRead<T>(owner: string, services: readonly string[], work: (giveUp: () => void) => Promise<T>): Promise<T> {
    let done: Promise<T> | undefined;
    const queue = services.length > 1 ? this.#wideReads : this.#reads;
    await queue.run(`${owner} ${services.join()}`, () => {
      const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>();
      done = work(giveUp);
      return endOrSlow(Promise.race([done, givenUp]));
    });
    return done as Promise<T>;
  }

  /** Costs nothing until the body turns out to be large. */
  createBodySlot(owner: string): BodySlot {
    const ended = Promise.withResolvers<void>();
    return {
      thresholdBytes: SMALL_BODY_BYTES,
      wait: () =>
        new Promise((resolve, reject) => {
          const work = (): Promise<void> => {
            resolve();
            return endOrSlow(ended.promise);
          };
          this.#bodies.run(owner, work).catch(reject);
        }),
      release: () => ended.resolve(),
    };
  }
}

/** Resolves when the work succeeds, fails, or turns out to be slow. */
const endOrSlow = (work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const slow = setTimeout(resolve, SLOW_MS);
    const end = (): void => {
      clearTimeout(slow);
      resolve();
    };
    work.then(end, end);
  });
