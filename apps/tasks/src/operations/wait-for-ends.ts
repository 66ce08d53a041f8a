import type { LookUp } from '@saleschannel/database';
import type { Task } from '../domain/task.ts';
import type { TaskPlace } from '../store/task-rows.ts';
import type { Follower, TaskEnds } from './task-ends.ts';

/** Intervals between two reads of a task, in milliseconds. They double up to the longest. */
export interface ReadAgain {
  readonly first: number;
  readonly longest: number;
}

/**
 * Other replicas broadcast the ends that they commit. Broadcasts may be lost, and the previous release sends none, so
 * tasks are also read again. A long task is read seldom, and the end of a short one is noticed after at most twice its
 * duration.
 */
export const readAgainByDefault: ReadAgain = { first: 50, longest: 500 };
/** Callers give up a stream from which nothing came for five seconds. */
const FIRST_ANSWER_MS = 2_000;

export interface Dependencies {
  readonly findTask: LookUp<TaskPlace, Task>;
  readonly ends: TaskEnds;
  readonly readAgainMs: ReadAgain;
}

interface Limits {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/**
 * Waits for tasks to end, each by itself. Yields those that have ended, as they end, and once nothing at all when that
 * takes long. Tasks that are not there, that cannot be read, or that are not waited for any longer are left out.
 */
export async function* waitForEnds(
  { findTask, ends, readAgainMs }: Dependencies,
  places: readonly TaskPlace[],
  { signal, deadline }: Limits,
): AsyncGenerator<Task[]> {
  const ended: Task[] = [];
  let open = places.length;
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const followed = places.map((place) => ({ place, follower: ends.follow(place.id) }));
  const wakeAll = (): void => followed.forEach(({ follower }) => follower.wake());
  const isWaiting = (): boolean => !isOver && !signal.aborted && !ends.isOver;
  const close = (task?: Task): void => {
    open -= 1;
    if (task) ended.push(task);
    news.resolve();
  };
  const silence = setTimeout(() => news.resolve(), FIRST_ANSWER_MS);
  signal.addEventListener('abort', wakeAll);
  try {
    for (const { place, follower } of followed) {
      const owner = `channel/${place.salesChannelId}`;
      const read = (): Promise<Task | undefined> => findTask(place, { owner, timeoutMs: deadline - Date.now() });
      untilEnded(read, follower, { isWaiting, isPending: ends.isPendingAt(place), readAgainMs })
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
  readonly readAgainMs: ReadAgain;
}

/**
 * Reads until the task is no longer PENDING. The first reading also finds out whether the task is at its place, and
 * whether it has ended already. It is left out where this process knows that.
 */
async function untilEnded(
  read: () => Promise<Task | undefined>,
  { woken }: Follower,
  { isWaiting, isPending, readAgainMs }: Wait,
): Promise<Task | undefined> {
  let mustRead = !isPending;
  for (let withinMs = readAgainMs.first; ; withinMs = Math.min(withinMs * 2, readAgainMs.longest)) {
    const task = mustRead ? await read() : undefined;
    if (mustRead && task?.status !== 'PENDING') return task;
    mustRead = true;
    if (!isWaiting()) return undefined;
    const ended = await woken(withinMs);
    if (ended) return ended;
  }
}
