import type { ReplyOf, ServiceClient } from '@saleschannel/grpc';
import { readWait } from '../http/prefer.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { AwaitedTask, TaskWaits } from './task-waits.ts';

/** Poll interval for clients. Most tasks end sooner. */
const POLL_AFTER_SECONDS = 1;

type Task = ReplyOf<'tasks.GetTask'>;

interface TaskAnswer {
  readonly task: Task;
  readonly headers: Readonly<Record<string, string>>;
}

const withoutWait = (task: Task): TaskAnswer => ({
  task,
  headers: task.status === 'PENDING' ? { 'Retry-After': String(POLL_AFTER_SECONDS) } : {},
});

/** Returns false if the session has ended meanwhile, or if identity does not answer. */
const isStillAuthorized = (context: RequestContext): Promise<boolean> =>
  context.renew().then(
    () => true,
    () => false,
  );

/**
 * Waits for a task as long as the client prefers (RFC 7240 section 4.3). Never fails: if it cannot wait, it returns the
 * task in its last known state, without `Preference-Applied`.
 */
export async function awaitTask(
  { tasks, waits }: { readonly tasks: ServiceClient<'tasks'>; readonly waits: TaskWaits },
  known: Task,
  { context, key, prefer }: { context: RequestContext; key: AwaitedTask['task']; prefer: string | undefined },
): Promise<TaskAnswer> {
  const seconds = readWait(prefer);
  if (seconds === undefined) return withoutWait(known);
  const withWait = (task: Task): TaskAnswer => ({
    task,
    headers: { ...withoutWait(task).headers, 'Preference-Applied': `wait=${seconds}` },
  });
  if (known.status !== 'PENDING') return withWait(known);
  const { principalToken, user, disconnected } = context;
  const waiter = { salesChannelId: user.salesChannelId ?? 'none', waitMs: seconds * 1_000, disconnected };
  const result = await context.waitFor(waits.wait({ principalToken, task: key }, waiter));
  if (result === 'ended-early' || !(await isStillAuthorized(context))) return withoutWait(known);
  if (result !== 'timed-out') return withWait(result);
  return withWait(await tasks.GetTask(key, context.callOptions).catch(() => known));
}
