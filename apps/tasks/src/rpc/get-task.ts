import { isAllowed } from '@saleschannel/auth';
import { forbidden, notFound } from '@saleschannel/errors';
import { askerOf, salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readTaskType, taskAccess, taskMessage, toTaskPlace } from './messages.ts';

/** The role that is needed depends on the type, so the type comes first. */
export const getTask: Rpc<'tasks.GetTask', Context> =
  ({ findTask }) =>
  async (request, call) => {
    const type = readTaskType(request);
    if (!isAllowed(taskAccess[type], userOf(call))) throw forbidden();
    const task = await findTask(toTaskPlace(salesChannelOf(call), type, request), askerOf(call));
    if (!task) throw notFound();
    return taskMessage(task);
  };
