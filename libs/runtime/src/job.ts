import type { Part } from './service.ts';

export interface JobOptions {
  readonly everyMs: number;
  /** Must end soon after the signal aborts. */
  work(signal: AbortSignal): Promise<void>;
  /** Gets the error of the work. The job goes on. */
  onError(error: unknown): void;
}

/**
 * Creates periodic work of a service. If a run takes longer than the interval, as while a database does not answer,
 * runs are skipped, not queued: a queue would delay the stop.
 */
export function createJob({ everyMs, work, onError }: JobOptions): Part {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= work(ended.signal)
      .catch(onError)
      .finally(() => (running = undefined));
  };
  return {
    start() {
      timer = setInterval(begin, everyMs);
      return Promise.resolve();
    },
    async stop() {
      clearInterval(timer);
      ended.abort();
      await running;
    },
  };
}
