import { idempotencyKeyReused } from '@saleschannel/errors';
import { toCanonicalText } from '@saleschannel/primitives';

export { scopeOf } from './scope.ts';

const RETENTION_MS = 24 * 3_600_000;
const MAX_ANSWERS = 10_000;

interface KeyedRequest {
  /** Owner of the key. */
  readonly scope: string;
  readonly operation: string;
  /** If undefined, the request is carried out each time. */
  readonly key: string | undefined;
  /** The whole request. Another request with the same key is refused. */
  readonly request: unknown;
  readonly onReplayed: (() => void) | undefined;
}

interface StoredAnswer {
  readonly request: string;
  readonly untilMs: number;
  readonly answer: Promise<unknown>;
}

/**
 * Stores answers of a program without a database while its process runs, for at most 24 hours. Drops the oldest if
 * there are too many.
 */
export class InMemoryAnswers {
  readonly #now: () => number;
  readonly #maxAnswers: number;
  readonly #answers = new Map<string, StoredAnswer>();

  /** @param now clock in milliseconds */
  constructor(now: () => number = Date.now, maxAnswers: number = MAX_ANSWERS) {
    this.#now = now;
    this.#maxAnswers = maxAnswers;
  }

  /**
   * Carries out a request once per key. A repeat waits for the first answer. A refused request does not use up its key.
   * @throws DomainError 'idempotency-key-reused' if the key belongs to another request
   */
  async answerOnce<Answer>(
    { scope, operation, key, request, onReplayed }: KeyedRequest,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    if (key === undefined) return work();
    const id = JSON.stringify([scope, operation, key]);
    const text = toCanonicalText(request);
    for (let known = this.#find(id); known; known = this.#find(id)) {
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
      this.#answers.delete(id);
      throw error;
    });
    this.#store(id, { request: text, untilMs: this.#now() + RETENTION_MS, answer });
    return answer;
  }

  #find(id: string): StoredAnswer | undefined {
    const known = this.#answers.get(id);
    if (!known || this.#now() < known.untilMs) return known;
    this.#answers.delete(id);
    return undefined;
  }

  /** Stores an answer, and deletes expired and surplus ones in the map's insertion order, oldest first. */
  #store(id: string, answer: StoredAnswer): void {
    this.#answers.set(id, answer);
    for (const [oldest, { untilMs }] of this.#answers) {
      if (this.#answers.size <= this.#maxAnswers && this.#now() < untilMs) return;
      this.#answers.delete(oldest);
    }
  }
}
