import type { FairShare, FairShareOptions } from '@saleschannel/runtime';

/** Passes over endpoints whose last attempt succeeded, and requests to them. */
const PASSES_AT_ONCE = 64;
const PASSES_AT_ONCE_EACH = 32;
const REQUESTS_AT_ONCE = 128;
const REQUESTS_AT_ONCE_EACH = 64;
/** Passes over endpoints whose last attempt failed. Each has one request. */
const SUSPECTS_AT_ONCE = 32;
const SUSPECTS_AT_ONCE_EACH = 8;
/** A request that takes longer holds up no other endpoint. */
const SLOW_MS = 1_000;
/** Passes whose requests are slow. Each has eight requests at most. Further ones keep their places. */
const SLOW_AT_ONCE = 64;
/**
 * A sales channel takes another one while it has fewer than this part of the free ones: 13 alone, 8 of each of four.
 * So slow receivers of several channels leave places for those of one more.
 */
const SLOW_PART_OF_FREE = 1 / 4;

const refusal = (): Error => new Error('too much waits to be delivered at once');
const waitingEach = Number.MAX_SAFE_INTEGER;

/** Counts slow passes, in total and per sales channel. */
class SlowPasses {
  readonly #byChannel = new Map<string, number>();
  #count = 0;

  /** Returns false when there is no place. */
  enter(salesChannelId: string): boolean {
    const own = this.#byChannel.get(salesChannelId) ?? 0;
    if (own >= (SLOW_AT_ONCE - this.#count) * SLOW_PART_OF_FREE) return false;
    this.#count += 1;
    this.#byChannel.set(salesChannelId, own + 1);
    return true;
  }

  leave(salesChannelId: string): void {
    const left = (this.#byChannel.get(salesChannelId) ?? 1) - 1;
    this.#count -= 1;
    if (left > 0) this.#byChannel.set(salesChannelId, left);
    else this.#byChannel.delete(salesChannelId);
  }
}

/** The way of one pass. */
export interface Lane {
  /** Sends as soon as it is the channel's turn. */
  send<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a request of the pass is slow: then it begins no other one. */
  isSlow(): boolean;
}

/**
 * Who may send when. Endpoints that fail have places of their own, so that however many receivers are frozen, those
 * that work get their messages. Places go to the sales channels in turn.
 */
export class Lanes {
  readonly #passes: FairShare;
  readonly #requests: FairShare;
  readonly #suspects: FairShare;
  readonly #slow = new SlowPasses();

  constructor(share: (options: FairShareOptions) => FairShare) {
    const of = (atOnce: number, atOnceEach: number) => share({ atOnce, atOnceEach, waitingEach, refusal });
    this.#passes = of(PASSES_AT_ONCE, PASSES_AT_ONCE_EACH);
    this.#requests = of(REQUESTS_AT_ONCE, REQUESTS_AT_ONCE_EACH);
    this.#suspects = of(SUSPECTS_AT_ONCE, SUSPECTS_AT_ONCE_EACH);
  }

  /** Does a pass over an endpoint when it is its turn, and ends with it. */
  async run(salesChannelId: string, isSuspect: boolean, pass: (lane: Lane) => Promise<void>): Promise<void> {
    if (isSuspect)
      return this.#suspects.run(salesChannelId, () => pass({ send: (work) => work(), isSlow: () => false }));
    let done = Promise.resolve();
    let isSlow = false;
    await this.#passes.run(salesChannelId, async () => {
      const left = Promise.withResolvers<void>();
      const lane: Lane = {
        isSlow: () => isSlow,
        send: (work) =>
          this.#send(salesChannelId, work, () => {
            if (isSlow || !this.#slow.enter(salesChannelId)) return isSlow;
            isSlow = true;
            left.resolve();
            return true;
          }),
      };
      done = pass(lane).finally(() => {
        if (isSlow) this.#slow.leave(salesChannelId);
        left.resolve();
      });
      await left.promise;
    });
    return done;
  }

  /** @param leave is told that the request is slow, and answers whether it gives its place to others */
  async #send<T>(salesChannelId: string, work: () => Promise<T>, leave: () => boolean): Promise<T> {
    let sent: Promise<T> | undefined;
    await this.#requests.run(salesChannelId, async () => {
      sent = work();
      const { promise, resolve } = Promise.withResolvers<void>();
      const slow = setTimeout(() => void (leave() && resolve()), SLOW_MS);
      sent.then(
        () => resolve(),
        () => resolve(),
      );
      await promise;
      clearTimeout(slow);
    });
    return sent as Promise<T>;
  }
}
