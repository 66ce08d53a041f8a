/** Number of snapshots per rate: smoother than two, and still recent. */
const SAMPLES_AT_MOST = 6;

interface Sample {
  readonly count: bigint;
  /** Monotonic clock, in milliseconds. */
  readonly atMs: number;
}

export class Rate {
  #samples: Sample[] = [];

  /** @param count undefined if it could not be read, which restarts the measurement */
  add(count: bigint | undefined, atMs: number): void {
    const last = this.#samples.at(-1);
    // The database was restored to an earlier time.
    if (count === undefined || (last && count < last.count)) this.#samples = [];
    if (count !== undefined) this.#samples = [...this.#samples, { count, atMs }].slice(-SAMPLES_AT_MOST);
  }

  /** Null before the second count. */
  get perSecond(): number | null {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || last.atMs <= first.atMs) return null;
    return Math.round((Number(last.count - first.count) * 10_000) / (last.atMs - first.atMs)) / 10;
  }
}
