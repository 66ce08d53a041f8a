import { AsyncLocalStorage } from 'node:async_hooks';

/** Deadline and cancellation of the caller. */
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
 * Runs work under a limit, which applies to everything that it awaits. Code that outlives the work, such as a job that
 * it triggered, has no limit.
 */
export function runWithin<T>(limit: WorkLimit, work: () => Promise<T>): Promise<T> {
  const limited: LimitedWork = { limit, hasEnded: false };
  return current.run(limited, work).finally(() => (limited.hasEnded = true));
}

/** Returns the limit of the running work. Jobs and consumers have none. */
export function currentLimit(): WorkLimit | undefined {
  const limited = current.getStore();
  return limited?.hasEnded ? undefined : limited?.limit;
}
