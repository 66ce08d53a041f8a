import { AsyncLocalStorage } from 'node:async_hooks';

/** How long there is somebody who waits for what is done. */
export interface WorkLimit {
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  isCancelled(): boolean;
}

interface LimitedWork {
  readonly limit: WorkLimit;
  hasEnded: boolean;
}

const current = new AsyncLocalStorage<LimitedWork>();

/**
 * Runs work under a limit. Everything that it awaits sees the limit. What outlives the work, such as a job that it woke
 * up, has none.
 */
export function runWithin<T>(limit: WorkLimit, work: () => Promise<T>): Promise<T> {
  const limited: LimitedWork = { limit, hasEnded: false };
  return current.run(limited, work).finally(() => (limited.hasEnded = true));
}

/** The limit of the work that the caller is part of. Jobs and consumers have none. */
export function currentLimit(): WorkLimit | undefined {
  const limited = current.getStore();
  return limited?.hasEnded ? undefined : limited?.limit;
}
