import type { Part } from './service.ts';

export interface JobOptions {
  readonly everyMs: number;
  /** One run. It must end soon after the signal aborts. */
  work(signal: AbortSignal): Promise<void>;
  /** Handles the error of a run. The job continues. */
  onError(error: unknown): void;
}

/**
 * Creates a job that runs periodically. If a run takes longer than the interval, for instance because a database does
 * not answer, further runs are skipped, not queued: a queue would delay the stop.
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
