import type { ReplyOf, ServiceClient } from '@saleschannel/grpc';
import { readWait } from '../http/prefer.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { AwaitedTask, TaskWaits } from './task-waits.ts';

/** How long a client should wait between two requests for a task. Most tasks are done well within it. */
const POLL_AFTER_SECONDS = 1;

type Task = ReplyOf<'tasks.GetTask'>;

export interface ShownTask {
  readonly task: Task;
  readonly headers: Readonly<Record<string, string>>;
}

const asKnown = (task: Task): ShownTask => ({
  task,
  headers: task.status === 'PENDING' ? { 'Retry-After': String(POLL_AFTER_SECONDS) } : {},
});

/** The session may have ended meanwhile. While that cannot be found out, nothing more is shown. */
const mayLearnMore = (context: RequestContext): Promise<boolean> =>
  context.renew().then(
    () => true,
    () => false,
  );

/**
 * Waits for a task as long as the client prefers (RFC 7240 section 4.3). It never fails: the task is there, so a wait
 * that cannot be kept ends in the task as it is known, without `Preference-Applied`.
 */
export async function awaitTask(
  { tasks, waits }: { readonly tasks: ServiceClient<'tasks'>; readonly waits: TaskWaits },
  known: Task,
  { context, place, prefer }: { context: RequestContext; place: AwaitedTask['task']; prefer: string | undefined },
): Promise<ShownTask> {
  const seconds = readWait(prefer);
  if (seconds === undefined) return asKnown(known);
  const applied = (task: Task): ShownTask => ({
    task,
    headers: { ...asKnown(task).headers, 'Preference-Applied': `wait=${seconds}` },
  });
  if (known.status !== 'PENDING') return applied(known);
  const { principalToken, user, gone } = context;
  const waiter = { salesChannelId: user.salesChannelId ?? 'none', waitMs: seconds * 1_000, gone };
  const result = await context.rest(waits.wait({ principalToken, task: place }, waiter));
  if (result === 'let-go' || !(await mayLearnMore(context))) return asKnown(known);
  if (result !== 'time-over') return applied(result);
  return applied(await tasks.GetTask(place, context.call).catch(() => known));
}
