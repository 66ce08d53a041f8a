import { requireAccess, type TokenVerifier } from '@saleschannel/auth';
import { DomainError, forbidden, invalidRequest } from '@saleschannel/errors';
import type { RequestOf, Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { attempt } from '../operations/attempt.ts';
import { waitForEnds } from '../operations/wait-for-ends.ts';
import type { TaskPlace } from '../store/task-rows.ts';
import { readTaskType, taskAccess, taskMessage, toTaskPlace } from './messages.ts';

const TASKS_AT_MOST = 1_000;

/** Each wait is let in or not on its own, as each transfer is. */
export const waitForTasks: Rpc<'tasks.WaitForTasks', Context> = (context) =>
  async function* ({ tasks }, call) {
    if (tasks.length > TASKS_AT_MOST) throw invalidRequest(`At most ${TASKS_AT_MOST} tasks may be awaited together.`);
    const found = await Promise.all(tasks.map((awaited) => attempt(() => placeOf(context.verifier, awaited))));
    const places = found.flatMap((place) => (place instanceof DomainError ? [] : [place]));
    context.replicas.wait(places.map(({ salesChannelId }) => salesChannelId));
    for await (const ended of waitForEnds(context, places, call)) yield { tasks: ended.map(taskMessage) };
  };

type Awaited = RequestOf<'tasks.WaitForTasks'>['tasks'][number];

/** @throws DomainError 'unauthenticated', 'forbidden' or 'invalid-request' */
async function placeOf(verifier: TokenVerifier, { principalToken, task }: Awaited): Promise<TaskPlace> {
  const principal = await verifier.principal(principalToken);
  if (principal.kind !== 'user' || principal.salesChannelId === undefined) throw forbidden();
  if (!task) throw invalidRequest('The task is missing.');
  const type = readTaskType(task);
  requireAccess(taskAccess[type], principal);
  return toTaskPlace(principal.salesChannelId, type, task);
}
