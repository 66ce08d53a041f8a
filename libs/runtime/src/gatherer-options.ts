/** Size of an item, such as its bytes, with how much of it one call and the queue hold. */
export interface SizeLimit<Item> {
  sizeOf(item: Item): number;
  /** A larger item goes alone. */
  readonly maxPerCall: number;
  /** An empty queue takes an item of any size. */
  readonly maxQueued?: number;
}

/** Minimum interval between calls after a call with at least `minItems`. */
interface Pace {
  readonly minItems: number;
  readonly intervalMs: number;
}

export interface GathererLimits {
  /** Items beyond this queue up and share the next call. */
  readonly maxConcurrentCalls: number;
  /** A call no longer counts against `batchesAtMost` after its first answer, or after this time without one. */
  readonly slowAfterMs: number;
  /** All open calls, slow ones included. */
  readonly maxOpenCalls: number;
  /** Items of one call. */
  readonly maxItems: number;
  /** Queued items and those of open calls, of all owners. */
  readonly maxOpen: number;
  /** The same per owner. */
  readonly maxOpenPerOwner: number;
  /** Queued items, of all owners. */
  readonly maxQueued: number;
  /** Queued items per owner. */
  readonly maxQueuedPerOwner: number;
  /** Items that queue for longer are refused. */
  readonly maxQueueMs: number;
  /** In ascending order of `minItems`; the last that applies counts. A queue that fills a call ends the interval. */
  readonly pacing: readonly Pace[];
}

export const defaultLimits: GathererLimits = {
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
export interface Gathered<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Why an item is refused: no answer in time, no room in the queue (or too long in it), or its asker disconnected. */
export type Refusal = 'late' | 'full' | 'disconnected';

export interface GathererOptions<Item, Answer> {
  /**
   * Makes one call for all items, and answers each as soon as its answer arrives. Items without an answer at the end
   * are rejected.
   */
  send(batch: readonly Gathered<Item, Answer>[]): Promise<void>;
  refusal(why: Refusal): Error;
  readonly limits?: Partial<GathererLimits>;
  /** Limits by size, beside the number of items. */
  readonly sizes?: readonly SizeLimit<Item>[];
}

/** Owner of an item, for fair queueing, deadline and cancellation. */
export interface ItemOptions {
  /** Owners take turns, and each has its own room. */
  readonly owner: string;
  /** From the question to its answer. */
  readonly timeoutMs: number;
  /** Registers a listener for the asker's disconnection. Returns a function that removes it. */
  onDisconnect?(disconnected: () => void): () => void;
}
