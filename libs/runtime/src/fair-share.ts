export interface FairShareOptions {
  /** Works at once, for all owners together. */
  readonly atOnce: number;
  /** Works at once of one owner. */
  readonly atOnceEach: number;
  /** Works of one owner that wait for their turn. */
  readonly waitingEach: number;
  /** What a work gets that not even may wait. */
  refusal(): Error;
}

interface Owner {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * A bounded number of places for works of many owners. A free place goes to the owner who has waited longest since
 * their last one, so that one owner with many works slows down nobody but themselves.
 */
export class FairShare {
  readonly #options: FairShareOptions;
  /** Those with works, in the order of their turns. */
  readonly #owners = new Map<string, Owner>();
  #running = 0;

  constructor(options: FairShareOptions) {
    this.#options = options;
  }

  /** Does the work when it is its turn. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#take(name);
    try {
      return await work();
    } finally {
      this.#giveBack(name);
    }
  }

  async #take(name: string): Promise<void> {
    const owner = this.#ownerNamed(name);
    if (owner.waiting.length === 0 && this.#hasPlace(owner)) {
      this.#begin(owner);
      return;
    }
    if (owner.waiting.length >= this.#options.waitingEach) throw this.#options.refusal();
    await new Promise<void>((resolve) => owner.waiting.push(resolve));
  }

  #ownerNamed(name: string): Owner {
    const owner = this.#owners.get(name) ?? { running: 0, waiting: [] };
    this.#owners.set(name, owner);
    return owner;
  }

  #hasPlace(owner: Owner): boolean {
    return this.#running < this.#options.atOnce && owner.running < this.#options.atOnceEach;
  }

  #begin(owner: Owner): void {
    owner.running += 1;
    this.#running += 1;
  }

  #giveBack(name: string): void {
    const owner = this.#ownerNamed(name);
    owner.running -= 1;
    this.#running -= 1;
    if (owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(name);
    this.#next();
  }

  /** Gives the free place to the first owner in turn who may have one. Then that owner is the last. */
  #next(): void {
    for (const [name, owner] of this.#owners) {
      const [first] = owner.waiting;
      if (!first || !this.#hasPlace(owner)) continue;
      owner.waiting.shift();
      this.#begin(owner);
      this.#owners.delete(name);
      this.#owners.set(name, owner);
      first();
      return;
    }
  }
}
