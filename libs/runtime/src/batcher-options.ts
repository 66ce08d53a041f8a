/** Limit on a size of items, such as their bytes. */
export interface SizeLimit<Item> {
  sizeOf(item: Item): number;
  /** Total per call. A larger item is sent alone. */
  readonly maxPerCall: number;
  /** Total in the queue. An empty queue takes an item of any size. */
  readonly maxQueued?: number;
}

/** Minimum interval between calls after a call with at least `minItems`. */
interface Pace {
  readonly minItems: number;
  readonly intervalMs: number;
}

export interface BatcherLimits {
  /** Items beyond this queue up and share the next call. */
  readonly maxConcurrentCalls: number;
  /** A call no longer counts against `maxConcurrentCalls` after its first answer, or after this time without one. */
  readonly slowAfterMs: number;
  /** Maximum open calls, slow ones included. */
  readonly maxOpenCalls: number;
  /** Maximum items per call. */
  readonly maxItems: number;
  /** Maximum queued items and items of open calls, of all owners. */
  readonly maxOpen: number;
  /** Maximum queued items and items of open calls, per owner. */
  readonly maxOpenPerOwner: number;
  /** Maximum queued items, of all owners. */
  readonly maxQueued: number;
  /** Maximum queued items, per owner. */
  readonly maxQueuedPerOwner: number;
  /** Items that queue for longer are refused. */
  readonly maxQueueMs: number;
  /** In ascending order of `minItems`; the last match applies. Once the queue fills a call, it is sent at once. */
  readonly pacing: readonly Pace[];
}

export const defaultLimits: BatcherLimits = {
  maxConcurrentCalls: 2,
  slowAfterMs: 20,
  maxOpenCalls: Infinity,
  maxItems: 100,
  maxOpen: 4_000,
  maxOpenPerOwner: 1_000,
  maxQueued: Infinity,
  maxQueuedPerOwner: Infinity,
  maxQueueMs: Infinity,
  pacing: [],
};

/** An item of a batch, with its callbacks. The first answer counts. */
export interface BatchItem<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Reason to refuse an item. `late`: no answer before its deadline. `full`: no room, or queued for too long.
 * `disconnected`: its caller has disconnected.
 */
export type Refusal = 'late' | 'full' | 'disconnected';

export interface BatcherOptions<Item, Answer> {
  /** Makes one call for all items, and passes each answer on at once. Items unanswered at the end are rejected. */
  send(batch: readonly BatchItem<Item, Answer>[]): Promise<void>;
  refusal(why: Refusal): Error;
  readonly limits?: Partial<BatcherLimits>;
  /** Limits on sizes, in addition to those on the number of items. */
  readonly sizes?: readonly SizeLimit<Item>[];
}

/** Owner of an item, for fair queueing, deadline and cancellation. */
export interface ItemOptions {
  /** Owners take turns, and each has its own limits. */
  readonly owner: string;
  /** From the request to its answer. */
  readonly timeoutMs: number;
  /** Registers a listener for the caller's disconnection. Returns a function that removes it. */
  onDisconnect?(disconnected: () => void): () => void;
}
