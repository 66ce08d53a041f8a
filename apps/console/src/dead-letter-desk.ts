import { createHash } from 'node:crypto';
import { listDeadLetters, replayDeadLetters } from '@saleschannel/edge/administration';
import { DomainError, notFound, unavailable } from '@saleschannel/errors';
import { withDeadLetters, type DeadLetter, type DeadLetters, type QueueFamily } from '@saleschannel/messaging';

/** How many are looked through for one that is asked for by its id. */
const LOOKED_THROUGH_AT_MOST = 1_000;
/** Behind a broker that says nothing, each of them waits for half a minute. */
const WAITING_AT_MOST = 10;

export interface IdentifiedLetter extends DeadLetter {
  /** A message has no id that outlives a look at it, so this is one of its content. */
  readonly id: string;
}

const identified = (letter: DeadLetter): IdentifiedLetter => ({
  ...letter,
  id: createHash('sha256')
    .update(JSON.stringify([letter.queue, letter.type, letter.body]))
    .digest('base64url'),
});

/**
 * Dead letters, one look at a time: whoever looks holds the messages meanwhile, and another one who looked at the same
 * time would not see them.
 */
export class DeadLetterDesk {
  readonly #url: string;
  readonly #namespace: string;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(url: string, namespace: string) {
    this.#url = url;
    this.#namespace = namespace;
  }

  /** The oldest ones. @throws DomainError 'unavailable' while there is no broker, or too many wait for it */
  async list(queue: QueueFamily, atMost: number): Promise<IdentifiedLetter[]> {
    return (await this.#work((letters) => listDeadLetters(letters, queue, atMost))).map(identified);
  }

  /** @throws DomainError 'not-found', 'unavailable' */
  async get(queue: QueueFamily, id: string): Promise<IdentifiedLetter> {
    const found = (await this.list(queue, LOOKED_THROUGH_AT_MOST)).find((letter) => letter.id === id);
    if (!found) throw notFound();
    return found;
  }

  /** Returns how many. @throws DomainError 'unavailable' while there is no broker */
  replay(queue: QueueFamily, atMost: number): Promise<number> {
    return this.#work((letters) => replayDeadLetters(letters, queue, atMost));
  }

  async #work<T>(work: (letters: DeadLetters) => Promise<T>): Promise<T> {
    if (this.#waiting >= WAITING_AT_MOST) throw unavailable(new Error('too many wait for dead letters'));
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
