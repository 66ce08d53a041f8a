import { setTimeout as delay } from 'node:timers/promises';

const RESTART_PAUSE_MS = 1_000;

interface Server {
  readonly port: number;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

/** Running parts of a stack, stopped in reverse order. A part that is added after the stop is stopped immediately. */
export class Running {
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #log: (line: string) => void;
  #isStopped = false;
  abortStart: () => void = () => undefined;
  readonly startAborted = new Promise<never>((_resolve, reject) => {
    this.abortStart = () => reject(new StartAborted('stopped while starting'));
  });

  constructor(log: (line: string) => void) {
    this.#log = log;
    this.startAborted.catch(() => undefined);
  }

  add(stop: () => Promise<void>): void {
    if (this.#isStopped) void stop();
    else this.#stops.push(stop);
  }

  /**
   * Starts a server, and restarts it on the same port after a crash.
   * @returns the server after its first start
   */
  async startWithRestarts<S extends Server>(name: string, start: (port?: number) => Promise<S>): Promise<S> {
    const first = await start();
    let current = first;
    this.add(() => current.stop());
    const watch = async (): Promise<void> => {
      for (;;) {
        await current.exited;
        if (this.#isStopped) return;
        this.#log(`${name} ended, restarting it`);
        // Helper processes may have survived.
        await current.stop().catch(() => undefined);
        current = await this.#startAgain(name, () => start(first.port));
        this.#log(`${name} is running again`);
      }
    };
    void watch();
    return first;
  }

  async #startAgain<S extends Server>(name: string, start: () => Promise<S>): Promise<S> {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        this.#log(`${name} does not start: ${(error as Error).message}`);
        await delay(RESTART_PAUSE_MS);
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const each of this.#stops.splice(0).reverse())
      await each().catch((error: unknown) => this.#log(`while stopping: ${(error as Error).message}`));
  }
}

/** The start was aborted on request. */
export class StartAborted extends Error {
  override name = 'StartAborted';
}
