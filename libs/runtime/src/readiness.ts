/** More than one, because a busy machine may miss a single probe. */
const MISSES_UNTIL_UNUSABLE = 2;
/** A probe that fails does not count if this process was stalled for this time meanwhile. */
const STALL_MS = 500;
const STALL_TICK_MS = 100;
/** Further failed probes count, so that even a process without CPU time notices an outage. */
const STALLED_PROBES_AT_MOST = 5;
/** Minimum interval between probes. */
const REMEMBERED_MS = 1_000;

/** Resolves to false without a valid answer in time. Never rejects. */
export type Probe = () => Promise<boolean>;

/** Tracks by probes whether a service is usable. The first probe decides alone. */
export class UsabilityCheck {
  readonly #probe: Probe;
  #misses = 0;
  #stalledProbes = 0;
  #isUsable: boolean | undefined;

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  /** False after two missed probes in a row, true after one that was answered. */
  get isUsable(): boolean {
    return this.#isUsable ?? true;
  }

  /** Probes once. Resolves to true if the probe was answered. */
  async probe(): Promise<boolean> {
    const { isAnswered, stalledMs } = await measureStall(this.#probe);
    if (isAnswered) [this.#misses, this.#stalledProbes, this.#isUsable] = [0, 0, true];
    else if (this.#isUsable === undefined) this.#isUsable = false;
    else if (stalledMs < STALL_MS || ++this.#stalledProbes > STALLED_PROBES_AT_MOST) this.#miss();
    return isAnswered;
  }

  #miss(): void {
    this.#misses++;
    if (this.#misses >= MISSES_UNTIL_UNUSABLE) this.#isUsable = false;
  }
}

/** Returns a function that resolves to true if all probed services are usable. */
export function createReadiness(
  probes: readonly Probe[],
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  const checks = probes.map((probe) => new UsabilityCheck(probe));
  let answer: Promise<boolean> | undefined;
  let rememberedUntilMs = 0;
  const refresh = async (): Promise<boolean> => {
    rememberedUntilMs = Infinity;
    await Promise.all(checks.map((check) => check.probe()));
    rememberedUntilMs = now() + REMEMBERED_MS;
    return checks.every(({ isUsable }) => isUsable);
  };
  return () => {
    if (!answer || now() >= rememberedUntilMs) answer = refresh();
    return answer;
  };
}

/** Runs a probe and measures the longest stall of the event loop meanwhile, for lack of CPU time or other work. */
async function measureStall(probe: Probe): Promise<{ isAnswered: boolean; stalledMs: number }> {
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
