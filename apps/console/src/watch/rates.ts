/** A rate is that of the last so many pictures: steadier than that of two, and still of these seconds. */
const SAMPLES_AT_MOST = 6;

interface Sample {
  readonly count: bigint;
  /** Milliseconds of a clock that never goes back. */
  readonly atMs: number;
}

/** How fast a count grows that only ever grows. */
export class Rate {
  #samples: Sample[] = [];

  /** @param count undefined: it is not known at the moment, and what was known before says nothing any more */
  add(count: bigint | undefined, atMs: number): void {
    const last = this.#samples.at(-1);
    // A database that was restored to an earlier time counts from there.
    if (count === undefined || (last && count < last.count)) this.#samples = [];
    if (count !== undefined) this.#samples = [...this.#samples, { count, atMs }].slice(-SAMPLES_AT_MOST);
  }

  /** Null before there are two counts. */
  get perSecond(): number | null {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || last.atMs <= first.atMs) return null;
    return Math.round((Number(last.count - first.count) * 10_000) / (last.atMs - first.atMs)) / 10;
  }
}
