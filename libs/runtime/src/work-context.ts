import { AsyncLocalStorage } from 'node:async_hooks';

const serviceStorage = new AsyncLocalStorage<string>();

/**
 * Runs work of a service in a process of several services. Metrics and spans that the work creates, now or later, have
 * the name of the service.
 */
export const runAsService = <T>(service: string, work: () => T): T => serviceStorage.run(service, work);

/** Returns the service of the running code. Undefined in a process of one service. */
export const hostedService = (): string | undefined => serviceStorage.getStore();

/**
 * Resolves or rejects like the promise, or rejects with the signal's reason once it aborts. The work goes on, and its
 * result is dropped.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    promise.catch(() => undefined);
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

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
