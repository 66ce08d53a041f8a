import { createHash } from 'node:crypto';
import { notFound, unavailable, DomainError } from '@saleschannel/errors';
import {
  queueFamilies,
  type QueueFamily,
  withDeadLetters,
  type DeadLetter,
  type DeadLetters,
} from '@saleschannel/messaging';
import { z } from 'zod';
import { listDeadLetters, replayDeadLetters } from '@saleschannel/edge/administration';
import { type Context, operation, type Operations } from '../http/operation.ts';
import { limit } from '../http/forms.ts';

const LOOKED_THROUGH_AT_MOST = 1_000;
/** Limits the queue behind a broker that does not answer: each request waits for half a minute. */
const WAITING_AT_MOST = 10;

interface IdentifiedLetter extends DeadLetter {
  /** Hash of the content: messages have no lasting id. */
  readonly id: string;
}

const identified = (letter: DeadLetter): IdentifiedLetter => ({
  ...letter,
  id: createHash('sha256')
    .update(JSON.stringify([letter.queue, letter.type, letter.body]))
    .digest('base64url'),
});

/** Access to dead letters, one request at a time: a concurrent reader would miss the messages that a reader holds. */
export class DeadLetterAccess {
  readonly #url: string;
  readonly #namespace: string;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(url: string, namespace: string) {
    this.#url = url;
    this.#namespace = namespace;
  }

  /** Lists the oldest dead letters. @throws DomainError 'unavailable' without a broker, or behind too many requests */
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

const REPLAYED_AT_MOST = 10_000;

/** Returns the queue in the path. @throws DomainError 'not-found' */
function findFamily(queue: string): QueueFamily {
  const family = queueFamilies.find((each) => each === queue);
  if (family === undefined) throw notFound();
  return family;
}

const toSummary = ({ id, queue, type, reason, body }: IdentifiedLetter) => ({
  id,
  queue,
  type,
  reason,
  bytes: Buffer.byteLength(body),
});

export const deadLetters = ({ deadLetters: access, watch, answers }: Context) =>
  ({
    listDeadLetterQueues: operation('listDeadLetterQueues')({
      async handle() {
        const { queues } = watch;
        if (!queues) throw unavailable(new Error('the broker has not been reached'));
        return { items: queues };
      },
    }),
    listDeadLetters: operation('listDeadLetters')({
      query: z.strictObject({ limit }),
      handle: async ({ path: { queue }, query }) => ({
        items: (await access.list(findFamily(queue), query.limit)).map(toSummary),
      }),
    }),
    getDeadLetter: operation('getDeadLetter')({
      async handle({ path: { queue, deadLetterId } }) {
        const letter = await access.get(findFamily(queue), deadLetterId);
        return { ...toSummary(letter), body: letter.body };
      },
    }),
    replayDeadLetters: operation('replayDeadLetters')({
      body: z.strictObject({ limit: z.int().min(1).max(REPLAYED_AT_MOST) }),
      handle: ({ path: { queue }, body: { limit: atMost } }, { operator, call }) => {
        const family = findFamily(queue);
        const { idempotencyKey: key, onReplayed } = call;
        const keyed = { scope: `operator/${operator.name}`, operation: 'replayDeadLetters', key, onReplayed };
        return answers.answerOnce({ ...keyed, request: { queue, atMost } }, async () => ({
          queue,
          replayed: await access.replay(family, atMost),
        }));
      },
    }),
  }) satisfies Partial<Operations>;
