interface Queued {
  readonly owner: string;
}

/**
 * Queue of many owners, each in order of arrival. Owners take turns: after one entry is taken, its owner comes last.
 */
export class FairQueue<Entry extends Queued> {
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
