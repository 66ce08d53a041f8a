import type { FairShare, FairShareOptions } from '@saleschannel/runtime';

/** Limits for endpoints whose last attempt succeeded. */
const MAX_RUNS = 64;
const MAX_RUNS_PER_CHANNEL = 32;
const MAX_REQUESTS = 128;
const MAX_REQUESTS_PER_CHANNEL = 64;
/** Limits for endpoints whose last attempt failed. Each of their runs has one request in flight. */
const MAX_SUSPECTS = 32;
const MAX_SUSPECTS_PER_CHANNEL = 8;
/** A slower request frees the places of its run and of itself. */
const SLOW_MS = 1_000;
/** Slow runs outside the queues, each with up to eight requests. Further ones keep their places. */
const MAX_SLOW_RUNS = 64;
/**
 * A sales channel may have slow runs up to this share of the free places: 13 for one channel alone, 8 each for four.
 * Slow receivers of several channels therefore leave places for another channel's.
 */
const SLOW_SHARE_OF_FREE = 1 / 4;

const refusal = (): Error => new Error('Too many deliveries are waiting.');
/** Unlimited, because each endpoint has at most one run, and each run at most eight requests. */
const maxQueuedPerOwner = Number.MAX_SAFE_INTEGER;

/** Counts slow runs, in total and per sales channel. */
class SlowRuns {
  readonly #byChannel = new Map<string, number>();
  #count = 0;

  /** Returns false if there is no free place. */
  enter(salesChannelId: string): boolean {
    const own = this.#byChannel.get(salesChannelId) ?? 0;
    if (own >= (MAX_SLOW_RUNS - this.#count) * SLOW_SHARE_OF_FREE) return false;
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

/** A run's place in the queues. */
export interface RunSlot {
  /** Sends when it is the sales channel's turn. */
  send<T>(request: () => Promise<T>): Promise<T>;
  /** True once a request of the run was slow. The run then starts no more. */
  isSlow(): boolean;
}

/**
 * Schedules runs and requests round-robin over the sales channels. Failing endpoints have a queue of their own, so that
 * frozen receivers do not delay working ones.
 */
export class DeliveryQueues {
  readonly #runs: FairShare;
  readonly #requests: FairShare;
  readonly #suspects: FairShare;
  readonly #slow = new SlowRuns();

  constructor(createQueue: (options: FairShareOptions) => FairShare) {
    const create = (maxConcurrent: number, maxConcurrentPerOwner: number) =>
      createQueue({ maxConcurrent, maxConcurrentPerOwner, maxQueuedPerOwner, refusal });
    this.#runs = create(MAX_RUNS, MAX_RUNS_PER_CHANNEL);
    this.#requests = create(MAX_REQUESTS, MAX_REQUESTS_PER_CHANNEL);
    this.#suspects = create(MAX_SUSPECTS, MAX_SUSPECTS_PER_CHANNEL);
  }

  /** Executes a run when it is the sales channel's turn, and resolves when the run has ended. */
  async run(salesChannelId: string, isSuspect: boolean, execute: (slot: RunSlot) => Promise<void>): Promise<void> {
    if (isSuspect)
      return this.#suspects.run(salesChannelId, () => execute({ send: (request) => request(), isSlow: () => false }));
    let done = Promise.resolve();
    let isSlow = false;
    await this.#runs.run(salesChannelId, async () => {
      const placeFreed = Promise.withResolvers<void>();
      const slot: RunSlot = {
        isSlow: () => isSlow,
        send: (request) =>
          this.#send(salesChannelId, request, () => {
            if (isSlow || !this.#slow.enter(salesChannelId)) return isSlow;
            isSlow = true;
            placeFreed.resolve();
            return true;
          }),
      };
      done = execute(slot).finally(() => {
        if (isSlow) this.#slow.leave(salesChannelId);
        placeFreed.resolve();
      });
      await placeFreed.promise;
    });
    return done;
  }

  /** @param onSlow returns true if the slow request gives up its place */
  async #send<T>(salesChannelId: string, request: () => Promise<T>, onSlow: () => boolean): Promise<T> {
    let sent: Promise<T> | undefined;
    await this.#requests.run(salesChannelId, async () => {
      sent = request();
      const { promise, resolve } = Promise.withResolvers<void>();
      const slow = setTimeout(() => void (onSlow() && resolve()), SLOW_MS);
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
