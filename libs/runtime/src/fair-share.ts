interface Owned {
  readonly owner: string;
}

/** Queue of many owners, each in order of arrival. Owners take turns: after an entry is taken, its owner comes last. */
export class FairQueue<Entry extends Owned> {
  /** Owners with entries, in turn order. Arrays, because entries mostly leave from the front. */
  readonly #byOwner = new Map<string, Entry[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeFor(owner: string): number {
    return this.#byOwner.get(owner)?.length ?? 0;
  }

  add(entry: Entry): void {
    const entries = this.#byOwner.get(entry.owner);
    if (entries) entries.push(entry);
    else this.#byOwner.set(entry.owner, [entry]);
    this.#size += 1;
  }

  /** First entry of this owner. */
  peekOwner(owner: string): Entry | undefined {
    return this.#byOwner.get(owner)?.[0];
  }

  /** First entry of the next owner in turn. */
  peek(): Entry | undefined {
    return this.#byOwner.values().next().value?.[0];
  }

  /** First entry of the first owner in turn that is ready. */
  peekReady(isReady: (owner: string) => boolean): Entry | undefined {
    for (const [owner, entries] of this.#byOwner) if (isReady(owner)) return entries[0];
    return undefined;
  }

  /** Removes an entry, which must be the first of its owner, and ends the owner's turn. */
  take({ owner }: Entry): void {
    const entries = this.#byOwner.get(owner);
    if (!entries) return;
    entries.shift();
    this.#size -= 1;
    this.#byOwner.delete(owner);
    if (entries.length > 0) this.#byOwner.set(owner, entries);
  }

  /** Removes any entry, and leaves the turn order as it is. Does nothing if the entry is not queued. */
  remove(entry: Entry): void {
    const entries = this.#byOwner.get(entry.owner);
    const index = entries?.indexOf(entry) ?? -1;
    if (!entries || index < 0) return;
    entries.splice(index, 1);
    this.#size -= 1;
    if (entries.length === 0) this.#byOwner.delete(entry.owner);
  }
}

export interface FairShareOptions {
  /** Maximum concurrent runs, of all owners. */
  readonly maxConcurrent: number;
  /** Maximum concurrent runs per owner. */
  readonly maxConcurrentPerOwner: number;
  /** Maximum queued runs per owner. */
  readonly maxQueuedPerOwner: number;
  /** A run that has queued for longer is refused when its turn comes. Unlimited if unset. */
  readonly maxQueueMs?: number;
  /** Clock of `maxQueueMs`. `performance.now()` if unset. */
  now?(): number;
  refusal: CreateRefusal;
}

/** Creates the error of a refused run. `full`: the queue has no room. `late`: the run has queued for too long. */
type CreateRefusal = (why: 'full' | 'late') => Error;

interface Queued {
  readonly owner: string;
  readonly sinceMs: number;
  begin(): void;
  refuse(): void;
}

/**
 * Bounds the concurrent work of many owners. The owner that has waited longest gets the next free place, so that an
 * owner with much work does not delay others.
 */
export class FairShare {
  readonly #options: FairShareOptions;
  readonly #now: () => number;
  readonly #queue = new FairQueue<Queued>();
  readonly #running = new Map<string, number>();
  #allRunning = 0;

  constructor(options: FairShareOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Runs the work now, or when a place becomes free.
   * @param refusal overrides `refusal` of the options
   * @throws the error of the work, or the refusal
   */
  async run<T>(owner: string, work: () => Promise<T>, refusal: CreateRefusal = this.#options.refusal): Promise<T> {
    const queued = this.#queue.sizeFor(owner);
    if (queued === 0 && this.#hasPlace(owner)) this.#take(owner);
    else if (queued >= this.#options.maxQueuedPerOwner) throw refusal('full');
    // The work runs in the async context of its caller, not of the work that makes room for it.
    else await this.#queueUp(owner, refusal);
    try {
      return await work();
    } finally {
      this.#release(owner);
    }
  }

  #queueUp(owner: string, refusal: CreateRefusal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queue.add({ owner, sinceMs: this.#now(), begin: resolve, refuse: () => reject(refusal('late')) });
    return promise;
  }

  #hasPlace(owner: string): boolean {
    const { maxConcurrent, maxConcurrentPerOwner } = this.#options;
    return this.#allRunning < maxConcurrent && (this.#running.get(owner) ?? 0) < maxConcurrentPerOwner;
  }

  #take(owner: string): void {
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    this.#allRunning += 1;
  }

  #release(owner: string): void {
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    // Unless all places were taken, every other queued owner already runs as much as one owner may.
    const wasFull = this.#allRunning === this.#options.maxConcurrent;
    this.#allRunning -= 1;
    const next = (): Queued | undefined =>
      wasFull ? this.#queue.peekReady((each) => this.#hasPlace(each)) : this.#queue.peekOwner(owner);
    for (let first = next(); first; first = next()) {
      if (this.#isLate(first)) {
        this.#queue.remove(first);
        first.refuse();
        continue;
      }
      this.#queue.take(first);
      this.#take(first.owner);
      first.begin();
      return;
    }
  }

  #isLate({ sinceMs }: Queued): boolean {
    const { maxQueueMs } = this.#options;
    return maxQueueMs !== undefined && this.#now() - sinceMs > maxQueueMs;
  }
}
