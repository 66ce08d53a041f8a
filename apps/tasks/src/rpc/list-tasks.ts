import { isAllowed } from '@saleschannel/auth';
import { readerOf, salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readTaskFilter } from '../domain/list-filter.ts';
import { tasksOfChannel } from '../store/task-lists.ts';
import { taskAccess, taskMessage, transferTypes } from './messages.ts';

/** One sees the types that one may ask for one by one. The others are not there. */
export const listTasks: Rpc<'tasks.ListTasks', Context> =
  ({ reads }) =>
  async ({ ascending, ...request }, call) => {
    const salesChannelId = salesChannelOf(call);
    const user = userOf(call);
    const filter = readTaskFilter(request.filter);
    const asked = readChannelPage(request.page);
    const types = transferTypes.filter(
      (type) => (filter.type === undefined || filter.type === type) && isAllowed(taskAccess[type], user),
    );
    if (types.length === 0) return { tasks: [] };
    const { rows, next } = await reads.page(readerOf(call), (em) =>
      tasksOfChannel(em, salesChannelId, { filter, types, descending: !ascending }, asked),
    );
    const tasks = rows.map(({ type, traderId, createdAt, externalReference, ...task }) => ({
      task: taskMessage(task),
      type,
      traderId,
      createdAt,
      ...(externalReference === null ? {} : { externalReference }),
    }));
    return { tasks, next };
  };
