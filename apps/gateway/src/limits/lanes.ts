/** Further ones are turned away. */
export const WAITING_AT_MOST = 1_000;
/** Nobody who calls an API waits longer for an answer. */
const WAITING_MS_AT_MOST = 5_000;

interface Lane {
  running: number;
  readonly waiting: { readonly sinceMs: number; begin(): void; giveUp(): void }[];
}

/** Lines of work: in each a few are under way, and the others wait for their turn. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #now: () => number;
  readonly #runningAtMost: number;

  /** @param runningAtMost works under way at the same time in one lane */
  constructor(now: () => number, runningAtMost: number) {
    this.#now = now;
    this.#runningAtMost = runningAtMost;
  }

  /** Undefined when too many wait already. Work that waited too long is rejected with the error of `giveUp`. */
  run<T>(name: string, work: () => Promise<T>, giveUp: () => Error): Promise<T> | undefined {
    let lane = this.#lanes.get(name);
    if (!lane) this.#lanes.set(name, (lane = { running: 0, waiting: [] }));
    if (lane.running < this.#runningAtMost) return this.#begin(name, lane, work);
    if (lane.waiting.length >= WAITING_AT_MOST) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const begin = () => resolve(this.#begin(name, lane, work));
    lane.waiting.push({ sinceMs: this.#now(), begin, giveUp: () => reject(giveUp()) });
    return promise;
  }

  #begin<T>(name: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    lane.running += 1;
    return work().finally(() => {
      lane.running -= 1;
      this.#next(lane);
      if (lane.running === 0) this.#lanes.delete(name);
    });
  }

  #next({ waiting }: Lane): void {
    const tooOldMs = this.#now() - WAITING_MS_AT_MOST;
    const first = waiting.findIndex(({ sinceMs }) => sinceMs >= tooOldMs);
    for (const late of waiting.splice(0, first === -1 ? waiting.length : first)) late.giveUp();
    waiting.shift()?.begin();
  }
}
