import { FairQueue } from './fair-share.ts';
import { defaultLimits, type ItemOptions, type BatchItem, type BatcherLimits } from './batcher-options.ts';
import type { BatcherOptions, SizeLimit } from './batcher-options.ts';

/** Interval between searches for expired items. */
const SWEEP_MS = 50;

interface Open<Item, Answer> extends BatchItem<Item, Answer> {
  readonly owner: string;
  /** On the `performance.now()` clock. */
  readonly deadline: number;
  /** On the `performance.now()` clock. */
  readonly queuedUntil: number;
  isOpen: boolean;
  isQueued: boolean;
  /** Releases the slot of the item's call. Undefined while queued. */
  releaseSlot: (() => void) | undefined;
  /** Removes the listener for the caller's disconnection. */
  removeListener: (() => void) | undefined;
}

/**
 * Batches concurrent items into few calls or statements. A lone item is sent at once. Owners take turns, and each has
 * its own limits, so an owner with many or slow items delays no other. Each item gets its own answer or refusal.
 *
 * All items of a batch fail with its call, so use it only for items that may be repeated.
 */
export class Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>;
  readonly #limits: BatcherLimits;
  readonly #sizes: readonly SizeLimit<Item>[];
  readonly #open = new Set<Open<Item, Answer>>();
  readonly #openByOwner = new Map<string, number>();
  readonly #queue = new FairQueue<Open<Item, Answer>>();
  /** Totals of the queue, per size limit. */
  readonly #queuedSizes: number[];
  /** Open calls that are not slow. */
  #promptCalls = 0;
  #openCalls = 0;
  #isScheduled = false;
  /** On the `performance.now()` clock. */
  #nextCallAt = 0;
  #hasPacingTimer = false;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#sizes = options.sizes ?? [];
    this.#queuedSizes = this.#sizes.map(() => 0);
  }

  /** @throws the item's own error, the error of its call, or the refusal */
  request(item: Item, { owner, timeoutMs, onDisconnect }: ItemOptions): Promise<Answer> {
    if (!this.#hasRoom(owner, item)) return Promise.reject(this.#options.refusal('full'));
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const now = performance.now();
    const open: Open<Item, Answer> = {
      item,
      owner,
      deadline: now + timeoutMs,
      queuedUntil: now + this.#limits.maxQueueMs,
      isOpen: true,
      isQueued: true,
      releaseSlot: undefined,
      removeListener: undefined,
      resolve: (answer) => {
        if (!this.#close(open)) return;
        open.releaseSlot?.();
        resolve(answer);
      },
      reject: (error) => {
        if (!this.#close(open)) return;
        open.releaseSlot?.();
        reject(error as Error);
      },
    };
    // Keeps the slot of the item's call, which continues.
    open.removeListener = onDisconnect?.(() => {
      if (this.#close(open)) reject(this.#options.refusal('disconnected'));
    });
    this.#add(open);
    this.#schedule();
    return promise;
  }

  #hasRoom(owner: string, item: Item): boolean {
    const { maxOpen, maxOpenPerOwner, maxQueued, maxQueuedPerOwner } = this.#limits;
    if (this.#open.size >= maxOpen || (this.#openByOwner.get(owner) ?? 0) >= maxOpenPerOwner) return false;
    if (this.#queue.size >= maxQueued || this.#queue.sizeFor(owner) >= maxQueuedPerOwner) return false;
    const fits = ({ sizeOf, maxQueued: maxSize = Infinity }: SizeLimit<Item>, index: number): boolean =>
      (this.#queuedSizes[index] ?? 0) + sizeOf(item) <= maxSize;
    return this.#queue.size === 0 || this.#sizes.every(fits);
  }

  #add(open: Open<Item, Answer>): void {
    this.#open.add(open);
    this.#openByOwner.set(open.owner, (this.#openByOwner.get(open.owner) ?? 0) + 1);
    this.#queue.add(open);
    this.#countQueued(open, true);
    this.#sweep ??= setInterval(() => this.#refuseExpired(), SWEEP_MS).unref();
  }

  #leaveQueue(open: Open<Item, Answer>): void {
    this.#queue.remove(open);
    this.#countQueued(open, false);
  }

  #countQueued(open: Open<Item, Answer>, isQueued: boolean): void {
    open.isQueued = isQueued;
    addSizes(this.#queuedSizes, this.#sizes, open.item, isQueued ? 1 : -1);
  }

  /** Returns false if the item is closed already. */
  #close(open: Open<Item, Answer>): boolean {
    if (!open.isOpen) return false;
    open.isOpen = false;
    open.removeListener?.();
    this.#open.delete(open);
    const left = (this.#openByOwner.get(open.owner) ?? 1) - 1;
    if (left === 0) this.#openByOwner.delete(open.owner);
    else this.#openByOwner.set(open.owner, left);
    if (open.isQueued) this.#leaveQueue(open);
    return true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Items of one turn of the event loop share a call.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendQueued();
    });
  }

  #sendQueued(): void {
    const { maxConcurrentCalls, maxOpenCalls } = this.#limits;
    while (this.#queue.size > 0 && this.#promptCalls < maxConcurrentCalls && this.#openCalls < maxOpenCalls) {
      if (this.#isPaced()) return;
      void this.#send(this.#takeBatch());
    }
  }

  /** True while the pacing interval runs; schedules the next call. */
  #isPaced(): boolean {
    if (this.#nextCallAt === 0) return false;
    const waitMs = this.#nextCallAt - performance.now();
    if (waitMs <= 0 || this.#queue.size >= this.#limits.maxItems) return false;
    if (this.#hasPacingTimer) return true;
    this.#hasPacingTimer = true;
    setTimeout(() => {
      this.#hasPacingTimer = false;
      this.#sendQueued();
    }, waitMs).unref();
    return true;
  }

  /** Takes one item of each owner in turn, until a limit is reached. */
  #takeBatch(): Open<Item, Answer>[] {
    const { maxItems, pacing } = this.#limits;
    const batch: Open<Item, Answer>[] = [];
    const totals = this.#sizes.map(() => 0);
    while (batch.length < maxItems) {
      const next = this.#queue.peek();
      if (!next) break;
      addSizes(totals, this.#sizes, next.item, 1);
      if (batch.length > 0 && !this.#fitsCall(totals)) break;
      this.#queue.take(next);
      this.#countQueued(next, false);
      batch.push(next);
    }
    const pace = pacing.findLast(({ minItems }) => batch.length >= minItems);
    this.#nextCallAt = pace ? performance.now() + pace.intervalMs : 0;
    return batch;
  }

  #fitsCall(totals: readonly number[]): boolean {
    return this.#sizes.every(({ maxPerCall }, index) => (totals[index] ?? 0) <= maxPerCall);
  }

  async #send(batch: readonly Open<Item, Answer>[]): Promise<void> {
    this.#openCalls += 1;
    this.#promptCalls += 1;
    let isPrompt = true;
    const releaseSlot = (): void => {
      if (!isPrompt) return;
      isPrompt = false;
      clearTimeout(slow);
      this.#promptCalls -= 1;
      if (this.#queue.size > 0) this.#schedule();
    };
    const slow = setTimeout(releaseSlot, this.#limits.slowAfterMs);
    for (const open of batch) open.releaseSlot = releaseSlot;
    try {
      await this.#options.send(batch);
      for (const open of batch) if (open.isOpen) open.reject(this.#options.refusal('late'));
    } catch (error) {
      for (const open of batch) open.reject(error);
    } finally {
      this.#openCalls -= 1;
      releaseSlot();
      if (this.#queue.size > 0) this.#schedule();
    }
  }

  #refuseExpired(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#sweep);
      this.#sweep = undefined;
      return;
    }
    const now = performance.now();
    for (const open of this.#open) {
      if (open.deadline <= now) open.reject(this.#options.refusal('late'));
      else if (open.queuedUntil <= now && open.isQueued) open.reject(this.#options.refusal('full'));
    }
  }
}

function addSizes<Item>(totals: number[], sizes: readonly SizeLimit<Item>[], item: Item, sign: 1 | -1): void {
  let index = 0;
  for (const { sizeOf } of sizes) {
    totals[index] = (totals[index] ?? 0) + sign * sizeOf(item);
    index += 1;
  }
}
