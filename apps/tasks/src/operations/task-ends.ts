import type { Task } from '../domain/task.ts';

/** One who follows a task. */
export interface Follower {
  /** Resolves when it was woken since it was asked last, or after this time. Returns the ended task if it was told. */
  woken(withinMs: number): Promise<Task | undefined>;
  wake(ended?: Task): void;
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
    let woken = Promise.withResolvers<Task | undefined>();
    const follower: Follower = {
      async woken(withinMs) {
        const timer = setTimeout(() => woken.resolve(undefined), withinMs);
        const ended = await woken.promise;
        clearTimeout(timer);
        woken = Promise.withResolvers();
        return ended;
      },
      wake: (ended) => woken.resolve(ended),
      stop: () => {
        others.delete(follower);
        if (others.size === 0) this.#followers.delete(taskId);
      },
    };
    this.#followers.set(taskId, others.add(follower));
    return follower;
  }

  /** Whether anybody waits for the task. */
  isFollowed(taskId: string): boolean {
    return this.#followers.has(taskId);
  }

  /**
   * This process has committed the end of a task.
   * @param ended the task as it is stored now. Without it those who wait read it
   */
  tell(taskId: string, ended?: Task): void {
    for (const follower of this.#followers.get(taskId) ?? []) follower.wake(ended);
  }

  /** Lets all who wait go. */
  release(): void {
    this.#isOver = true;
    for (const taskId of this.#followers.keys()) this.tell(taskId);
  }
}
