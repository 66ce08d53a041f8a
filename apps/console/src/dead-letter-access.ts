import { createHash } from 'node:crypto';
import { listDeadLetters, replayDeadLetters } from '@saleschannel/edge/administration';
import { DomainError, notFound, unavailable } from '@saleschannel/errors';
import { withDeadLetters, type DeadLetter, type DeadLetters, type QueueFamily } from '@saleschannel/messaging';

/** Number of dead letters searched for an id. */
const LOOKED_THROUGH_AT_MOST = 1_000;
/** Limits the queue behind a broker that does not answer: each request waits for half a minute. */
const WAITING_AT_MOST = 10;

export interface IdentifiedLetter extends DeadLetter {
  /** Hash of the content: messages have no lasting id. */
  readonly id: string;
}

const identified = (letter: DeadLetter): IdentifiedLetter => ({
  ...letter,
  id: createHash('sha256')
    .update(JSON.stringify([letter.queue, letter.type, letter.body]))
    .digest('base64url'),
});

/**
 * Access to dead letters, one request at a time: a reader holds the messages, so a concurrent reader would miss them.
 */
export class DeadLetterAccess {
  readonly #url: string;
  readonly #namespace: string;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(url: string, namespace: string) {
    this.#url = url;
    this.#namespace = namespace;
  }

  /**
   * Lists the oldest dead letters.
   * @throws DomainError 'unavailable' without a broker, or if too many requests wait for it
   */
  async list(queue: QueueFamily, atMost: number): Promise<IdentifiedLetter[]> {
    return (await this.#work((letters) => listDeadLetters(letters, queue, atMost))).map(identified);
  }

  /** @throws DomainError 'not-found', 'unavailable' */
  async get(queue: QueueFamily, id: string): Promise<IdentifiedLetter> {
    const found = (await this.list(queue, LOOKED_THROUGH_AT_MOST)).find((letter) => letter.id === id);
    if (!found) throw notFound();
    return found;
  }

  /** Replays the oldest dead letters. Returns their number. @throws DomainError 'unavailable' without a broker */
  replay(queue: QueueFamily, atMost: number): Promise<number> {
    return this.#work((letters) => replayDeadLetters(letters, queue, atMost));
  }

  async #work<T>(work: (letters: DeadLetters) => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_AT_MOST) throw unavailable(new Error('too many requests wait for dead letters'));
    this.#waiting++;
    const next = this.#last.then(() => withDeadLetters(this.#url, this.#namespace, work));
    this.#last = next.catch(() => undefined);
    try {
      return await next;
    } catch (error) {
      throw error instanceof DomainError ? error : unavailable(error);
    } finally {
      this.#waiting--;
    }
  }
}
