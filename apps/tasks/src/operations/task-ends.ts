import type { LookUp } from '@saleschannel/database';
import { LRUCache } from 'lru-cache';
import type { Task } from '../domain/task.ts';
import type { TaskPath } from '../store/tasks.ts';

/** More tasks than a process has pending. Tasks beyond it are read from the database. */
const MAX_PENDING = 5_000;

/** A wait for one task. */
interface Follower {
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

/** Intervals between two reads of a task, in milliseconds. They double up to the maximum. */
export interface PollIntervals {
  readonly first: number;
  readonly longest: number;
}

/**
 * Tasks are polled, because broadcasts of other replicas may be lost and the previous release sends none. With doubling
 * intervals, long tasks are read seldom, and the end of a short task is noticed after at most twice its duration.
 */
export const defaultPollIntervals: PollIntervals = { first: 50, longest: 500 };
/** Callers cancel a stream that is silent for five seconds. */
const FIRST_ANSWER_MS = 2_000;

interface Dependencies {
  readonly findTask: LookUp<TaskPath, Task>;
  readonly ends: TaskEnds;
  readonly pollIntervalsMs: PollIntervals;
}

interface Limits {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/**
 * Waits for tasks to end. Yields them as they end, and an empty array once if the first takes long. Leaves out tasks
 * that do not exist, cannot be read, or are still pending when the wait is over.
 */
export async function* waitForEnds(
  { findTask, ends, pollIntervalsMs }: Dependencies,
  paths: readonly TaskPath[],
  { signal, deadline }: Limits,
): AsyncGenerator<Task[]> {
  const ended: Task[] = [];
  let open = paths.length;
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const followed = paths.map((path) => ({ path, follower: ends.follow(path.id) }));
  const wakeAll = (): void => followed.forEach(({ follower }) => follower.wake());
  const isWaiting = (): boolean => !isOver && !signal.aborted && !ends.isReleased;
  const close = (task?: Task): void => {
    open -= 1;
    if (task) ended.push(task);
    news.resolve();
  };
  const silence = setTimeout(() => news.resolve(), FIRST_ANSWER_MS);
  signal.addEventListener('abort', wakeAll);
  try {
    for (const { path, follower } of followed) {
      const owner = `channel/${path.salesChannelId}`;
      const read = (): Promise<Task | undefined> => findTask(path, { owner, timeoutMs: deadline - Date.now() });
      waitForEnd(read, follower, { isWaiting, isPending: ends.isPendingAt(path), pollIntervalsMs })
        .finally(() => follower.stop())
        .then(close, () => close());
    }
    while (open > 0 || ended.length > 0) {
      await news.promise;
      clearTimeout(silence);
      news = Promise.withResolvers();
      if (open > 0 || ended.length > 0) yield ended.splice(0);
    }
  } finally {
    isOver = true;
    clearTimeout(silence);
    signal.removeEventListener('abort', wakeAll);
    wakeAll();
  }
}

interface Wait {
  readonly isWaiting: () => boolean;
  readonly isPending: boolean;
  readonly pollIntervalsMs: PollIntervals;
}

/**
 * Reads until the task is no longer PENDING. Skips the first read, which also checks the path, if this process knows
 * the task.
 */
async function waitForEnd(
  read: () => Promise<Task | undefined>,
  { waitForWake }: Follower,
  { isWaiting, isPending, pollIntervalsMs }: Wait,
): Promise<Task | undefined> {
  let mustRead = !isPending;
  for (let withinMs = pollIntervalsMs.first; ; withinMs = Math.min(withinMs * 2, pollIntervalsMs.longest)) {
    const task = mustRead ? await read() : undefined;
    if (mustRead && task?.status !== 'PENDING') return task;
    mustRead = true;
    if (!isWaiting()) return undefined;
    const ended = await waitForWake(withinMs);
    if (ended) return ended;
  }
}
