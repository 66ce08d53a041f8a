interface Queued {
  readonly owner: string;
}

/**
 * Queue of many owners, each in order of arrival. Owners take turns: after one entry is taken, its owner comes last.
 */
export class FairQueue<Entry extends Queued> {
  /** Owners with entries, in turn order. */
  readonly #byOwner = new Map<string, Set<Entry>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeFor(owner: string): number {
    return this.#byOwner.get(owner)?.size ?? 0;
  }

  has(entry: Entry): boolean {
    return this.#byOwner.get(entry.owner)?.has(entry) ?? false;
  }

  add(entry: Entry): void {
    const queue = this.#byOwner.get(entry.owner);
    if (queue) queue.add(entry);
    else this.#byOwner.set(entry.owner, new Set([entry]));
    this.#size += 1;
  }

  /** First entry of this owner. */
  firstOf(owner: string): Entry | undefined {
    return this.#byOwner.get(owner)?.values().next().value;
  }

  /** First entry of the next owner in turn that is ready. */
  next(isReady: (owner: string) => boolean = () => true): Entry | undefined {
    for (const [owner, queue] of this.#byOwner) if (isReady(owner)) return queue.values().next().value;
    return undefined;
  }

  /** Removes an entry whose turn has come. */
  take(entry: Entry): void {
    const queue = this.#byOwner.get(entry.owner);
    if (!queue || !this.remove(entry) || queue.size === 0) return;
    this.#byOwner.delete(entry.owner);
    this.#byOwner.set(entry.owner, queue);
  }

  /** Removes an entry and keeps the turn of its owner. Returns false if the entry is not queued. */
  remove(entry: Entry): boolean {
    const queue = this.#byOwner.get(entry.owner);
    if (!queue?.delete(entry)) return false;
    if (queue.size === 0) this.#byOwner.delete(entry.owner);
    this.#size -= 1;
    return true;
  }
}
