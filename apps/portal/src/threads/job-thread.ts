import { Worker } from 'node:worker_threads';

/** Message of a thread that is ready for its first job. */
export const READY = 'ready';

export class JobTooSlow extends Error {}

export interface JobThreadOptions {
  readonly script: URL;
  /** Deadline of a job, counted from its start in the thread. */
  readonly timeoutMs: number;
  readonly startTimeoutMs?: number;
  readonly memoryMb: number;
}

const START_TIMEOUT_MS = 120_000;
const YOUNG_MEMORY_MB = 32;

/**
 * Runs jobs one by one in a thread with its own memory limit, so that they neither block the server nor use its memory.
 * A thread that fails or is too slow is replaced, because its state is unknown.
 */
export class JobThread<Job, Outcome> {
  readonly #options: JobThreadOptions;
  #worker: Worker | undefined;
  #ready: Promise<unknown> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** @throws JobTooSlow, or Error when the thread ends */
  run(job: Job): Promise<Outcome> {
    const done = this.#last.then(() => this.#run(job));
    this.#last = done.catch(() => undefined);
    return done;
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = undefined;
  }

  async #run(job: Job): Promise<Outcome> {
    try {
      const worker = (this.#worker ??= this.#start());
      this.#ready ??= nextMessage(worker, this.#options.startTimeoutMs ?? START_TIMEOUT_MS);
      await this.#ready;
      worker.postMessage(job);
      return (await nextMessage(worker, this.#options.timeoutMs)) as Outcome;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #start(): Worker {
    const { script, memoryMb } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB };
    const worker = new Worker(script, { resourceLimits });
    worker.unref();
    worker.on('error', () => undefined).once('exit', () => this.#worker === worker && this.close());
    return worker;
  }
}

function nextMessage(worker: Worker, timeoutMs: number): Promise<unknown> {
  const ended = new AbortController();
  return new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new JobTooSlow(`the thread did not respond within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const on = <Value>(event: string, listener: (value: Value) => void): void => {
      worker.on(event, listener);
      ended.signal.addEventListener('abort', () => worker.off(event, listener));
    };
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    on<unknown>('message', resolve);
    on<Error>('error', reject);
    on<number>('exit', (code) => reject(new Error(`the thread ended with code ${code}`)));
  }).finally(() => ended.abort());
}
