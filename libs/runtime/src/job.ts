import type { Part } from './service.ts';

export interface JobOptions {
  readonly everyMs: number;
  /** Ends soon once the signal is aborted. */
  work(signal: AbortSignal): Promise<void>;
  /** Is told what the work has thrown. The next time comes all the same. */
  failed(error: unknown): void;
}

/**
 * What a service does by itself, from time to time. Where the work takes longer than the time between two, as while a
 * database does not answer, times are left out: none of them waits to be made up for, which would hold up the stop too.
 */
export function createJob({ everyMs, work, failed }: JobOptions): Part {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= work(ended.signal)
      .catch(failed)
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
