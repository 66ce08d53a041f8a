import { notFound, unavailable } from '@saleschannel/errors';
import { queueFamilies, type QueueFamily } from '@saleschannel/messaging';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { IdentifiedLetter } from '../dead-letter-desk.ts';
import { limit } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type Handled = 'listDeadLetterQueues' | 'listDeadLetters' | 'getDeadLetter' | 'replayDeadLetters';

const REPLAYED_AT_MOST = 10_000;

/** A queue is named in the path, and there is no other. @throws DomainError 'not-found' */
function familyOf(queue: string): QueueFamily {
  const family = queueFamilies.find((each) => each === queue);
  if (family === undefined) throw notFound();
  return family;
}

const summaryOf = ({ id, queue, type, reason, body }: IdentifiedLetter) => ({
  id,
  queue,
  type,
  reason,
  bytes: Buffer.byteLength(body),
});

export const deadLetters = ({ deadLetters: desk, watch, answers }: Context): Pick<Operations, Handled> => ({
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
      items: (await desk.list(familyOf(queue), query.limit)).map(summaryOf),
    }),
  }),
  getDeadLetter: operation('getDeadLetter')({
    async handle({ path: { queue, deadLetterId } }) {
      const letter = await desk.get(familyOf(queue), deadLetterId);
      return { ...summaryOf(letter), body: letter.body };
    },
  }),
  replayDeadLetters: operation('replayDeadLetters')({
    body: z.strictObject({ limit: z.int().min(1).max(REPLAYED_AT_MOST) }),
    handle: ({ path: { queue }, body: { limit: atMost } }, { operator, call }) => {
      const family = familyOf(queue);
      const { idempotencyKey: key, onReplayed } = call;
      const keyed = { scope: `operator/${operator.name}`, operation: 'replayDeadLetters', key, onReplayed };
      return answers.answerOnce({ ...keyed, request: { queue, atMost } }, async () => ({
        queue,
        replayed: await desk.replay(family, atMost),
      }));
    },
  }),
});
