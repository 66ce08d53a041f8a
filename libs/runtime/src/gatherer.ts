export interface GathererLimits {
  /** Batches under way at once. While there are fewer, an item goes at once. Otherwise it waits with others. */
  readonly batchesAtMost: number;
  /**
   * A batch gives up its place with its first answer, or after so long without one: what is slow of one holds up nobody
   * else.
   */
  readonly slowAfterMs: number;
  /** Of one batch. */
  readonly itemsAtMost: number;
  /** Items that wait or are under way, in all. */
  readonly openAtMost: number;
  /** Of one owner. */
  readonly openEachAtMost: number;
}

const usualLimits: GathererLimits = {
  batchesAtMost: 2,
  slowAfterMs: 20,
  itemsAtMost: 100,
  openAtMost: 4_000,
  openEachAtMost: 1_000,
};

/** An item of a batch: what is asked, and what takes the answer. The first answer counts. */
export interface Gathered<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export interface GathererOptions<Item, Answer> {
  /**
   * Asks for all items at once, and answers each when its answer is there. Those that it leaves without one when it
   * ends, or fails, are rejected.
   */
  ask(batch: readonly Gathered<Item, Answer>[]): Promise<void>;
  /** What an item gets that was not answered in time, or that there is no room for. */
  refusal(why: 'late' | 'full'): Error;
  readonly limits?: Partial<GathererLimits>;
}

/** Whose an item is, and how long there is somebody who waits for its answer. */
export interface Asker {
  /** Items of one owner share what one of them may have open, and owners take turns. */
  readonly owner: string;
  /** From now on. */
  readonly timeoutMs: number;
}

/** Late items are looked for this often. */
const LOOK_MS = 50;

interface Open<Item, Answer> extends Gathered<Item, Answer> {
  readonly owner: Owner<Item, Answer>;
  /** Of performance.now(). */
  readonly deadline: number;
  isOpen: boolean;
  /** Tells its batch, once it is in one. */
  answered: (() => void) | undefined;
}

interface Owner<Item, Answer> {
  readonly name: string;
  open: number;
  /** In the order of their coming. */
  waiting: Open<Item, Answer>[];
  /** The first of them that was not taken yet. */
  next: number;
}

/**
 * Gathers what is asked at the same time into few batches: a call for many, a statement for many. An item alone waits
 * for nothing. The more there are, the more share a batch. Owners take turns, and each has its own room, so that one
 * with many items, or with slow ones, keeps no other from its answers. Each item is answered or refused by itself.
 *
 * What it gains is the cost of a call or statement, divided by those that share it. What it risks is that all items of
 * a batch fail with it, so only what may be asked again is gathered.
 */
export class Gatherer<Item, Answer> {
  readonly #options: GathererOptions<Item, Answer>;
  readonly #limits: GathererLimits;
  readonly #owners = new Map<string, Owner<Item, Answer>>();
  /** Those with items that wait, the one whose turn it is first. */
  readonly #turns = new Set<Owner<Item, Answer>>();
  readonly #open = new Set<Open<Item, Answer>>();
  #batches = 0;
  #scheduled = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: GathererOptions<Item, Answer>) {
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
  }

  /** @throws what the batch says of this item, what the batch failed with, or the refusal */
  ask(item: Item, { owner: name, timeoutMs }: Asker): Promise<Answer> {
    const owner = this.#ownerNamed(name);
    if (this.#open.size >= this.#limits.openAtMost || owner.open >= this.#limits.openEachAtMost) {
      if (owner.open === 0) this.#owners.delete(name);
      return Promise.reject(this.#options.refusal('full'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const open: Open<Item, Answer> = {
      item,
      owner,
      deadline: performance.now() + timeoutMs,
      isOpen: true,
      answered: undefined,
      resolve: (answer) => {
        if (this.#close(open)) resolve(answer);
      },
      reject: (error) => {
        if (this.#close(open)) reject(error as Error);
      },
    };
    this.#open.add(open);
    owner.open += 1;
    owner.waiting.push(open);
    this.#turns.add(owner);
    this.#schedule();
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return promise;
  }

  #ownerNamed(name: string): Owner<Item, Answer> {
    let owner = this.#owners.get(name);
    if (!owner) this.#owners.set(name, (owner = { name, open: 0, waiting: [], next: 0 }));
    return owner;
  }

  /** False when it was answered before. */
  #close(open: Open<Item, Answer>): boolean {
    if (!open.isOpen) return false;
    open.isOpen = false;
    this.#open.delete(open);
    open.owner.open -= 1;
    if (open.owner.open === 0) this.#forget(open.owner);
    open.answered?.();
    return true;
  }

  #forget(owner: Owner<Item, Answer>): void {
    this.#owners.delete(owner.name);
    this.#turns.delete(owner);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // What was asked in the same turn of the event loop shares a batch.
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#turns.size > 0 && this.#batches < this.#limits.batchesAtMost) {
      const batch = this.#takeBatch();
      if (batch.length > 0) void this.#askFor(batch);
    }
  }

  /** One of each owner in turn. */
  #takeBatch(): Open<Item, Answer>[] {
    const batch: Open<Item, Answer>[] = [];
    for (const owner of this.#turns) {
      // Whoever was added again below comes again, after the others.
      this.#turns.delete(owner);
      const taken = takeFirst(owner);
      if (owner.waiting.length > 0) this.#turns.add(owner);
      if (taken && batch.push(taken) >= this.#limits.itemsAtMost) break;
    }
    return batch;
  }

  async #askFor(batch: readonly Open<Item, Answer>[]): Promise<void> {
    this.#batches += 1;
    let hasPlace = true;
    const giveUpPlace = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      clearTimeout(slow);
      this.#batches -= 1;
      if (this.#turns.size > 0) this.#schedule();
    };
    const slow = setTimeout(giveUpPlace, this.#limits.slowAfterMs);
    for (const open of batch) open.answered = giveUpPlace;
    try {
      await this.#options.ask(batch);
      for (const open of batch) if (open.isOpen) open.reject(this.#options.refusal('late'));
    } catch (error) {
      for (const open of batch) open.reject(error);
    } finally {
      giveUpPlace();
    }
  }

  #look(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    const now = performance.now();
    for (const open of this.#open) if (open.deadline <= now) open.reject(this.#options.refusal('late'));
  }
}

/** The next item that somebody still waits for. */
function takeFirst<Item, Answer>(owner: Owner<Item, Answer>): Open<Item, Answer> | undefined {
  let taken: Open<Item, Answer> | undefined;
  while (taken === undefined && owner.next < owner.waiting.length) {
    const open = owner.waiting[owner.next++];
    if (open?.isOpen === true) taken = open;
  }
  if (owner.next === owner.waiting.length) [owner.waiting, owner.next] = [[], 0];
  return taken;
}
