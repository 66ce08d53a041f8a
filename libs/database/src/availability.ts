import { setTimeout as delay } from 'node:timers/promises';
import { UsabilityCheck, type Part, type Probe } from '@saleschannel/runtime';

const PROBE_EVERY_MS = 2_000;
/** Time since the last answered probe. Shorter than other replicas may wait for the work of this one. */
const LOST_AFTER_MS = 10_000;

export interface AvailabilityOptions {
  readonly probe: Probe;
  /** Tests shorten these. */
  readonly probeEveryMs?: number;
  readonly lostAfterMs?: number;
}

/** State of the database, for work that depends on it. */
export interface Availability {
  /** False after two consecutive missed probes, true after an answered one. */
  readonly isUsable: boolean;
  /** True after ten seconds without an answer: leases, locks and messages are released to other replicas. */
  readonly isLost: boolean;
  /** Calls the listener after each change of `isLost`. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

/** Probes the database, or another server, every two seconds, and tracks whether it is usable or lost. */
export class AvailabilityWatch implements Availability, Part {
  readonly #options: Required<AvailabilityOptions>;
  readonly #check: UsabilityCheck;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  #isLost = false;
  #lossTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: AvailabilityOptions) {
    this.#options = { probeEveryMs: PROBE_EVERY_MS, lostAfterMs: LOST_AFTER_MS, ...options };
    this.#check = new UsabilityCheck(options.probe);
  }

  get isUsable(): boolean {
    return this.#check.isUsable;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves after the first probe, which alone determines the initial state. */
  async start(): Promise<void> {
    await this.#check.probe();
    this.#awaitLoss();
    this.#running = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#lossTimer);
    this.#listeners.clear();
    await this.#running;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const { probeEveryMs } = this.#options;
    while (!signal.aborted) {
      await delay(probeEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const isAnswered = await this.#check.probe();
      if (signal.aborted || !isAnswered) continue;
      this.#awaitLoss();
      this.#setLost(false);
    }
  }

  /** Restarts the loss timer at each answer, so that a probe that waits for its own timeout does not delay it. */
  #awaitLoss(): void {
    const { lostAfterMs, probeEveryMs } = this.#options;
    clearTimeout(this.#lossTimer);
    const check = (): void => {
      if (!this.isUsable) this.#setLost(true);
      else this.#lossTimer = setTimeout(check, probeEveryMs / 2).unref();
    };
    this.#lossTimer = setTimeout(check, lostAfterMs).unref();
  }

  #setLost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    for (const listener of this.#listeners) listener();
  }
}
