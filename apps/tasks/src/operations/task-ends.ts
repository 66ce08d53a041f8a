import { LRUCache } from 'lru-cache';
import type { Task } from '../domain/task.ts';
import type { TaskPath } from '../store/task-rows.ts';

/** More tasks than a process has pending. Tasks beyond it are read from the database. */
const MAX_PENDING = 5_000;

/** A wait for one task. */
export interface Follower {
  /** Resolves when woken, or after this time. Returns the ended task if known. */
  waitForWake(withinMs: number): Promise<Task | undefined>;
  wake(ended?: Task): void;
  stop(): void;
}

/** Wakes calls that wait for tasks to end. A wait holds no connection. */
export class TaskEnds {
  readonly #followers = new Map<string, Set<Follower>>();
  /** Tasks that this process created and whose end it has not written. */
  readonly #pending = new LRUCache<string, TaskPath>({ max: MAX_PENDING });
  #isOver = false;

  /** True as soon as the process stops, which ends all waits. */
  get isReleased(): boolean {
    return this.#isOver;
  }

  /** Call this before reading the task, so that no end is missed in between. */
  follow(taskId: string): Follower {
    const others = this.#followers.get(taskId) ?? new Set();
    let woken = Promise.withResolvers<Task | undefined>();
    const follower: Follower = {
      async waitForWake(withinMs) {
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

  /** Records a task that this process committed. */
  addPending({ salesChannelId, type, traderId, id }: TaskPath): void {
    this.#pending.set(id, { salesChannelId, type, traderId, id });
  }

  /**
   * True if this process created the task, at this path, and does not know of its end. Another replica may have written
   * the end since, and the broadcast may be lost.
   */
  isPendingAt({ salesChannelId, type, traderId, id }: TaskPath): boolean {
    const pending = this.#pending.get(id);
    return pending?.salesChannelId === salesChannelId && pending.type === type && pending.traderId === traderId;
  }

  /** True if a call waits for the task. */
  isFollowed(taskId: string): boolean {
    return this.#followers.has(taskId);
  }

  /**
   * Wakes the waits for a task whose end this process or another replica committed.
   * @param ended the task as stored. If undefined, the waits read the task
   */
  notifyEnded(taskId: string, ended?: Task): void {
    this.#pending.delete(taskId);
    for (const follower of this.#followers.get(taskId) ?? []) follower.wake(ended);
  }

  /** Ends all waits. */
  release(): void {
    this.#isOver = true;
    for (const followers of this.#followers.values()) for (const follower of followers) follower.wake();
  }
}
