import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '@saleschannel/runtime';

const LOOK_MS = 2_000;
/** One missed probe may be a busy machine. */
const MISSES_UNTIL_UNUSABLE = 2;
/** From the last probe that was answered. Shorter than what another replica may wait for this one's work. */
const LOST_AFTER_MS = 10_000;
/** A probe that fails while this process stood still for so long says nothing about the database. */
const STALL_MS = 500;
const STALL_TICK_MS = 100;
/** A process that never gets the CPU must notice a lost database all the same. */
const STALLED_PROBES_AT_MOST = 5;

export interface AvailabilityOptions {
  /** Resolves to false when the database gives no usable answer in time. Never rejects. */
  readonly probe: () => Promise<boolean>;
  /** Tests shorten these. */
  readonly lookMs?: number;
  readonly lostAfterMs?: number;
}

/** Whether work that needs the database can be done. */
export interface Availability {
  /** False after two missed probes in a row, true after one that was answered. */
  readonly isUsable: boolean;
  /** Unusable for ten seconds: leases, locks and messages are given back to replicas that can work. */
  readonly isLost: boolean;
  /** Calls the listener after each change of `isLost`. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
}

/** Probes the database every two seconds and remembers the result. */
export class AvailabilityWatch implements Availability, Part {
  readonly #options: Required<AvailabilityOptions>;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  #misses = 0;
  #stalledProbes = 0;
  #isUsable = true;
  #isLost = false;
  #lossTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: AvailabilityOptions) {
    this.#options = { lookMs: LOOK_MS, lostAfterMs: LOST_AFTER_MS, ...options };
  }

  get isUsable(): boolean {
    return this.#isUsable;
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

  /** Resolves after the first probe, which decides alone. */
  async start(): Promise<void> {
    this.#isUsable = await this.#options.probe();
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
    const { lookMs, probe } = this.#options;
    while (!signal.aborted) {
      await delay(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const { isAnswered, stalledMs } = await measureStall(probe);
      if (!signal.aborted) this.#judge(isAnswered, stalledMs >= STALL_MS);
    }
  }

  #judge(isAnswered: boolean, isStalled: boolean): void {
    if (isAnswered) {
      [this.#misses, this.#stalledProbes, this.#isUsable] = [0, 0, true];
      this.#awaitLoss();
      this.#setLost(false);
      return;
    }
    if (isStalled && ++this.#stalledProbes <= STALLED_PROBES_AT_MOST) return;
    this.#misses++;
    if (this.#misses >= MISSES_UNTIL_UNUSABLE) this.#isUsable = false;
  }

  /** Runs from the last answer, so that a probe that waits for its own time limit delays nothing. */
  #awaitLoss(): void {
    const { lostAfterMs, lookMs } = this.#options;
    clearTimeout(this.#lossTimer);
    const look = (): void => {
      if (!this.#isUsable) this.#setLost(true);
      else this.#lossTimer = setTimeout(look, lookMs / 2).unref();
    };
    this.#lossTimer = setTimeout(look, lostAfterMs).unref();
  }

  #setLost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    for (const listener of this.#listeners) listener();
  }
}

/** Runs a probe and measures for how long the event loop stood still meanwhile: no CPU, or a long computation. */
async function measureStall(probe: () => Promise<boolean>): Promise<{ isAnswered: boolean; stalledMs: number }> {
  let [last, stalledMs] = [performance.now(), 0];
  const tick = (): void => {
    const now = performance.now();
    [last, stalledMs] = [now, Math.max(stalledMs, now - last - STALL_TICK_MS)];
  };
  const timer = setInterval(tick, STALL_TICK_MS);
  const isAnswered = await probe();
  clearInterval(timer);
  tick();
  return { isAnswered, stalledMs };
}
