import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toChannelLink, toListPage, type CsvFile } from './lists.ts';
import { toChannelPage, toNotesFilter, withoutNulls } from './requests.ts';

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
  columns: {
    taskId: ({ taskId }) => taskId,
    status: ({ status }) => status,
    idempotencyKey: ({ idempotencyKey }) => idempotencyKey,
    message: ({ message }) => message,
    'responsePayload.id': ({ responsePayload }) => responsePayload.id,
    type: ({ type }) => type,
    traderId: ({ traderId }) => traderId,
    createdAt: ({ createdAt }) => createdAt,
    externalReference: ({ externalReference }) => externalReference,
  },
};

function toRequest(query: QueryOf<'listTasks'>): SentTo<'tasks.ListTasks'> {
  const { type, status, traderId, createdAt, ...notes } = query.$filter ?? {};
  const head = { type: type?.eq, status: status?.eq, traderId: traderId?.eq, createdAt };
  const filter = withoutNulls({ ...head, ...toNotesFilter(notes) });
  // The offset makes every list a page.
  return { filter, ascending: query.$orderBy?.createdAt === 'asc', page: toChannelPage({ $offset: 0, ...query }) };
}

/** Tasks of a sales channel. */
export const createTaskHandlers = ({ tasks: service }: Clients): Pick<Handlers, 'listTasks'> => ({
  listTasks: async ({ query }, context) => {
    const { tasks: found, next } = await service.ListTasks(toRequest(query), context.callOptions);
    return toListPage(context, found.map(toListedTask), taskFile, toChannelLink(context, next));
  },
});
