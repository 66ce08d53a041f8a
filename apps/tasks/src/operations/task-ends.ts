/** One who follows a task. */
export interface Follower {
  /** Resolves when it was woken since it was asked last, or after this time. */
  woken(withinMs: number): Promise<void>;
  wake(): void;
  stop(): void;
}

/** Wakes those who wait for tasks to end. A wait is a place in a table: it holds no connection. */
export class TaskEnds {
  readonly #followers = new Map<string, Set<Follower>>();
  #isOver = false;

  /** True once the process stops: nobody waits any longer. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Follow before you read the task: so no end is missed between the two. */
  follow(taskId: string): Follower {
    const others = this.#followers.get(taskId) ?? new Set();
    let woken = Promise.withResolvers<void>();
    const follower: Follower = {
      async woken(withinMs) {
        const timer = setTimeout(woken.resolve, withinMs);
        await woken.promise;
        clearTimeout(timer);
        woken = Promise.withResolvers();
      },
      wake: () => woken.resolve(),
      stop: () => {
        others.delete(follower);
        if (others.size === 0) this.#followers.delete(taskId);
      },
    };
    this.#followers.set(taskId, others.add(follower));
    return follower;
  }

  /** This process has written the end of a task. */
  tell(taskId: string): void {
    for (const follower of this.#followers.get(taskId) ?? []) follower.wake();
  }

  /** Lets all who wait go. */
  release(): void {
    this.#isOver = true;
    for (const taskId of this.#followers.keys()) this.tell(taskId);
  }
}
