import { idempotencyKeyReused } from '@saleschannel/errors';
import { canonicalText } from '@saleschannel/primitives';

export { scopeOf } from './scope.ts';

const KEPT_MS = 24 * 3_600_000;
const KEPT_AT_MOST = 10_000;

interface KeyedRequest {
  /** Owner of the key. */
  readonly scope: string;
  readonly operation: string;
  /** Undefined: the request is carried out each time. */
  readonly key: string | undefined;
  /** The whole request. Another one under the same key is refused. */
  readonly request: unknown;
  readonly onReplayed: (() => void) | undefined;
}

interface Kept {
  readonly request: string;
  readonly untilMs: number;
  readonly answer: Promise<unknown>;
}

/**
 * Answers of a program that has no database. They last as long as its process, 24 hours at most, and the oldest go
 * first when there are too many.
 */
export class AnswersInMemory {
  readonly #now: () => number;
  readonly #keptAtMost: number;
  readonly #kept = new Map<string, Kept>();

  /** @param now in milliseconds */
  constructor(now: () => number = Date.now, keptAtMost: number = KEPT_AT_MOST) {
    this.#now = now;
    this.#keptAtMost = keptAtMost;
  }

  /**
   * Carries out a request once per key. A repeat waits for the first answer. A refused request uses no key.
   * @throws DomainError 'idempotency-key-reused' when the key has the answer of another request
   */
  async answerOnce<Answer>(
    { scope, operation, key, request, onReplayed }: KeyedRequest,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    if (key === undefined) return work();
    const place = JSON.stringify([scope, operation, key]);
    const text = canonicalText(request);
    for (let known = this.#find(place); known; known = this.#find(place)) {
      const outcome = await known.answer.then(
        (answer) => ({ answer: answer as Answer }),
        () => undefined,
      );
      if (!outcome) continue;
      if (known.request !== text) throw idempotencyKeyReused();
      onReplayed?.();
      return outcome.answer;
    }
    const answer = work().catch((error: unknown) => {
      this.#kept.delete(place);
      throw error;
    });
    this.#keep(place, { request: text, untilMs: this.#now() + KEPT_MS, answer });
    return answer;
  }

  #find(place: string): Kept | undefined {
    const known = this.#kept.get(place);
    if (!known || this.#now() < known.untilMs) return known;
    this.#kept.delete(place);
    return undefined;
  }

  /** Oldest first, which is the order of a map. */
  #keep(place: string, kept: Kept): void {
    this.#kept.set(place, kept);
    for (const [oldest, { untilMs }] of this.#kept) {
      if (this.#kept.size <= this.#keptAtMost && this.#now() < untilMs) return;
      this.#kept.delete(oldest);
    }
  }
}
