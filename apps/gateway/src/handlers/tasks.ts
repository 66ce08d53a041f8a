import type { ReplyOf, SentTo, ServiceClient } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import type { Handlers } from '../http/pipeline.ts';
import type { RequestContext } from '../http/request-context.ts';
import { toChannelLink, toListPage, pickColumns, type CsvFile } from './lists.ts';
import { toChannelPage, toNotesFilter, withoutNulls } from './requests.ts';
import type { AwaitedTask, TaskWaits } from './task-waits.ts';

/** Longer waits are reduced to this. */
const WAIT_SECONDS_AT_MOST = 10;
const HEADER_CHARACTERS_AT_MOST = 1_000;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
/** Separator, or name with value. Anything else is skipped. */
const PIECE = new RegExp(String.raw`([,;])|(${TOKEN})(?:[ \t]*=[ \t]*(${TOKEN}|${QUOTED}))?|${QUOTED}`, 'g');
const SECONDS = /^"?([0-9]+)"?$/;

/**
 * Reads the preference `wait` (RFC 7240 section 4.3): 1 to 10 seconds. The first one counts. Unknown and malformed
 * preferences are ignored. No library, because the available ones split quoted text at commas.
 */
export function readWait(header: string | undefined): number | undefined {
  if (header === undefined || header.length > HEADER_CHARACTERS_AT_MOST) return undefined;
  let isParameter = false;
  for (const [, separator, name, value] of header.matchAll(PIECE)) {
    if (separator !== undefined) isParameter = separator === ';';
    else if (!isParameter && name?.toLowerCase() === 'wait') return parseSeconds(value);
  }
  return undefined;
}

function parseSeconds(value: string | undefined): number | undefined {
  const seconds = value === undefined ? 0 : Number(SECONDS.exec(value)?.[1] ?? 0);
  return seconds > 0 ? Math.min(seconds, WAIT_SECONDS_AT_MOST) : undefined;
}

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
  if (result === 'ended-early' || !(await context.isStillAuthorized())) return withoutWait(known);
  if (result !== 'timed-out') return withWait(result);
  return withWait(await tasks.GetTask(key, context.callOptions).catch(() => known));
}

/** Form of a task in all operations. */
export const toTask = ({ id, status, idempotencyKey, message, transactionId }: ReplyOf<'tasks.GetTask'>) => ({
  taskId: id,
  status,
  idempotencyKey,
  message,
  responsePayload: transactionId === undefined ? {} : { id: transactionId },
});

const toListedTask = ({ task, ...about }: ReplyOf<'tasks.ListTasks'>['tasks'][number]) => {
  const { type, traderId, createdAt, externalReference = null } = about;
  if (!task) throw new Error('tasks answered without the task');
  return { ...toTask(task), type, traderId, createdAt, externalReference };
};

const taskFile: CsvFile<ReturnType<typeof toListedTask>> = {
  name: 'tasks',
  columns: pickColumns(
    'taskId',
    'status',
    'idempotencyKey',
    'message',
    'responsePayload.id',
    'type',
    'traderId',
    'createdAt',
    'externalReference',
  ),
};

function toRequest(query: QueryOf<'listTasks'>): SentTo<'tasks.ListTasks'> {
  const { type, status, traderId, createdAt, ...notes } = query.$filter ?? {};
  const head = { type: type?.eq, status: status?.eq, traderId: traderId?.eq, createdAt };
  const filter = withoutNulls({ ...head, ...toNotesFilter(notes) });
  // The offset makes every list a page.
  return { filter, ascending: query.$orderBy?.createdAt === 'asc', page: toChannelPage({ $offset: 0, ...query }) };
}

export const createTaskHandlers = ({ tasks: service }: Clients) =>
  ({
    listTasks: async ({ query }, context) => {
      const { tasks: found, next } = await service.ListTasks(toRequest(query), context.callOptions);
      return toListPage(context, found.map(toListedTask), taskFile, toChannelLink(context, next));
    },
  }) satisfies Partial<Handlers>;
