/** Results of requests, by kind and by phase of the run. */
export interface Failure {
  readonly at: string;
  readonly phase: string;
  readonly kind: string;
  readonly reason: string;
  readonly detail: string;
}

interface Counted {
  answered: number;
  failed: number;
  readonly milliseconds: number[];
}

export interface Row {
  readonly name: string;
  readonly answered: number;
  readonly failed: number;
  readonly milliseconds: readonly number[];
}

const FAILURES_TOLD = 50;

export class Outcomes {
  readonly failures: Failure[] = [];
  /** Faults other than failed requests. */
  readonly faults: string[] = [];
  readonly #phases = new Map<string, Counted>();
  readonly #kinds = new Map<string, Counted>();
  readonly #say: (line: string) => void;
  #phase = '';

  /** @param say receives failures as they occur, up to a maximum */
  constructor(say: (line: string) => void = () => undefined) {
    this.#say = say;
  }

  beginPhase(phase: string): void {
    this.#phase = phase;
    this.#of(this.#phases, phase);
  }

  recordAnswer(kind: string, milliseconds: number): void {
    for (const counted of [this.#of(this.#phases, this.#phase), this.#of(this.#kinds, kind)]) {
      counted.answered += 1;
      counted.milliseconds.push(milliseconds);
    }
  }

  recordFailure(kind: string, reason: string, detail: string): void {
    for (const counted of [this.#of(this.#phases, this.#phase), this.#of(this.#kinds, kind)]) counted.failed += 1;
    const at = new Date().toISOString();
    this.failures.push({ at, phase: this.#phase, kind, reason, detail });
    if (this.failures.length <= FAILURES_TOLD) this.#say(`  ${at} failed: ${kind}: ${reason}: ${detail}`);
  }

  get byPhase(): Row[] {
    return [...this.#phases].map(([name, counted]) => ({ name, ...counted }));
  }

  get byKind(): Row[] {
    return [...this.#kinds].map(([name, counted]) => ({ name, ...counted }));
  }

  /** Number of failures by reason. */
  get reasons(): Map<string, number> {
    const reasons = new Map<string, number>();
    for (const { kind, reason } of this.failures) {
      const name = `${kind}: ${reason}`;
      reasons.set(name, (reasons.get(name) ?? 0) + 1);
    }
    return reasons;
  }

  #of(counts: Map<string, Counted>, name: string): Counted {
    const counted = counts.get(name) ?? { answered: 0, failed: 0, milliseconds: [] };
    counts.set(name, counted);
    return counted;
  }
}
