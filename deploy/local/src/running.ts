/** What of the stack runs, to be stopped in reverse; also what comes to run only after the stop. */
export class Running {
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #log: (line: string) => void;
  #isStopped = false;
  giveUp: () => void = () => undefined;
  readonly givenUp = new Promise<never>((_resolve, reject) => {
    this.giveUp = () => reject(new StartAborted('stopped while starting'));
  });

  constructor(log: (line: string) => void) {
    this.#log = log;
    this.givenUp.catch(() => undefined);
  }

  add(stop: () => Promise<void>): void {
    if (this.#isStopped) void stop();
    else this.#stops.push(stop);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const each of this.#stops.splice(0).reverse()) await each().catch((error: unknown) => this.#log(`while stopping: ${(error as Error).message}`));
  }
}

/** The start was given up by whoever asked for it. */
export class StartAborted extends Error {
  override name = 'StartAborted';
}
