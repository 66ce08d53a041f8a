import { DomainError } from '@saleschannel/errors';
import type { LargeBodies } from '@saleschannel/edge';
import { Lanes } from './lanes.ts';

/** A larger body is read when it is its turn. */
export const SMALL_BODY_BYTES = 16_384;
/** Large bodies of one sales channel that are read and checked at the same time. */
const LARGE_BODIES_AT_ONCE = 1;
/** Reads of one sales channel that ask several services each, as those of the audit trail do. */
const WIDE_READS_AT_ONCE = 1;
/** Work that lasts longer gives up its place, so that a slow sender, receiver or service blocks nobody behind it. */
const SLOW_MS = 1_000;
const RETRY_AFTER_SECONDS = 1;

const crowded = (): DomainError =>
  new DomainError('rate-limited', 'Too many requests of your sales channel wait for their turn.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
const waitedTooLong = (): DomainError =>
  new DomainError('unavailable', 'The request did not get its turn in time. Send it again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** The turn of one large body, from its first byte beyond {@link SMALL_BODY_BYTES} until it was checked. */
export interface BodyTurn extends LargeBodies {
  /** Ends the turn, also one that has not come yet. */
  end(): void;
}

/**
 * Bounds what one sales channel has under way at the same time, so that however many requests its users send, those of
 * other channels find the gateway's thread, the services and the database no busier than a few requests make them.
 * Nothing is refused for it that waits its turn: the queues are bounded in number and time.
 */
export class ChannelTurns {
  readonly #reads: Lanes;
  readonly #wideReads: Lanes;
  readonly #bodies: Lanes;

  constructor({ readsAtOnce, now }: { readonly readsAtOnce: number; readonly now: () => number }) {
    this.#reads = new Lanes(now, readsAtOnce);
    this.#wideReads = new Lanes(now, WIDE_READS_AT_ONCE);
    this.#bodies = new Lanes(now, LARGE_BODIES_AT_ONCE);
  }

  /**
   * Runs a read when it is its turn among those of the owner at the same services. A service that does not answer so
   * delays no reads of others.
   * @param work gets what gives its place to the next read before it is done
   * @throws DomainError 'rate-limited' when too many wait, 'unavailable' after waiting for too long
   */
  async read<T>(owner: string, services: readonly string[], work: (giveUp: () => void) => Promise<T>): Promise<T> {
    let done: Promise<T> | undefined;
    const lanes = services.length > 1 ? this.#wideReads : this.#reads;
    const begin = (): Promise<void> => {
      const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>();
      done = work(giveUp);
      return endOrSlow(Promise.race([done, givenUp]));
    };
    const turn = lanes.run(`${owner} ${services.join()}`, begin, waitedTooLong);
    if (!turn) throw crowded();
    await turn;
    return done as Promise<T>;
  }

  /** The turn of a body of the owner. It costs nothing before the body turns out to be large. */
  body(owner: string): BodyTurn {
    const ended = Promise.withResolvers<void>();
    return {
      bytes: SMALL_BODY_BYTES,
      wait: () =>
        new Promise((resolve, reject) => {
          const work = (): Promise<void> => {
            resolve();
            return endOrSlow(ended.promise);
          };
          const turn = this.#bodies.run(owner, work, waitedTooLong);
          if (turn) turn.catch(reject);
          else reject(crowded());
        }),
      end: () => ended.resolve(),
    };
  }
}

/** Resolves when the work ends, however it does, or is slow. */
const endOrSlow = (work: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const slow = setTimeout(resolve, SLOW_MS);
    const end = (): void => {
      clearTimeout(slow);
      resolve();
    };
    work.then(end, end);
  });
