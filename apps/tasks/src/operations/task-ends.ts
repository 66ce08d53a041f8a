import { LRUCache } from 'lru-cache';
import type { Task } from '../domain/task.ts';
import type { TaskPlace } from '../store/task-rows.ts';

/** More than are under way at once. Those beyond are read. */
const MADE_AT_MOST = 5_000;

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
  /** Tasks that this process has made, and whose end it has not written. */
  readonly #made = new LRUCache<string, TaskPlace>({ max: MADE_AT_MOST });
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

  /** This process has committed a new task. */
  made({ salesChannelId, type, traderId, id }: TaskPlace): void {
    this.#made.set(id, { salesChannelId, type, traderId, id });
  }

  /**
   * Whether the task is at this place and was PENDING when this process last heard of it. Another replica may have
   * written its end meanwhile, and its broadcast may be lost.
   */
  isPendingAt({ salesChannelId, type, traderId, id }: TaskPlace): boolean {
    const made = this.#made.get(id);
    return made?.salesChannelId === salesChannelId && made.type === type && made.traderId === traderId;
  }

  /** Whether anybody waits for the task. */
  isFollowed(taskId: string): boolean {
    return this.#followers.has(taskId);
  }

  /**
   * The end of a task is committed, by this process or another replica.
   * @param ended the task as it is stored now. Without it those who wait read it
   */
  tell(taskId: string, ended?: Task): void {
    this.#made.delete(taskId);
    for (const follower of this.#followers.get(taskId) ?? []) follower.wake(ended);
  }

  /** Lets all who wait go. */
  release(): void {
    this.#isOver = true;
    for (const followers of this.#followers.values()) for (const follower of followers) follower.wake();
  }
}
