import { notFound, unavailable } from '@saleschannel/errors';
import { queueFamilies, type QueueFamily } from '@saleschannel/messaging';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { IdentifiedLetter } from '../dead-letter-access.ts';
import { limit } from '../http/forms.ts';
import { operation, type Operations } from '../http/operation.ts';

type Handled = 'listDeadLetterQueues' | 'listDeadLetters' | 'getDeadLetter' | 'replayDeadLetters';

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

export const deadLetters = ({ deadLetters: access, watch, answers }: Context): Pick<Operations, Handled> => ({
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
});
