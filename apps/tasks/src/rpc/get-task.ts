import { isAllowed } from '@saleschannel/auth';
import type { TransferType } from '@saleschannel/contracts';
import { forbidden, notFound } from '@saleschannel/errors';
import { askerOf, salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { taskAccess, taskMessage } from './messages.ts';

const types = {
  TRANSFER_TYPE_TRADE: 'TRADE',
  TRANSFER_TYPE_RETIREMENT: 'RETIREMENT',
  TRANSFER_TYPE_OFFRAMP: 'OFFRAMP',
} as const satisfies Record<string, TransferType>;

const requestSchema = z.object({
  type: z.enum(['TRANSFER_TYPE_TRADE', 'TRANSFER_TYPE_RETIREMENT', 'TRANSFER_TYPE_OFFRAMP']),
});

/** The role that is needed depends on the type, so the type comes first. */
export const getTask: Rpc<'tasks.GetTask', Context> =
  ({ findTask }) =>
  async ({ traderId, taskId, ...request }, call) => {
    const type = types[parse(requestSchema, request, 'The type of the task is not valid.').type];
    if (!isAllowed(taskAccess[type], userOf(call))) throw forbidden();
    const salesChannelId = salesChannelOf(call);
    const place = { salesChannelId, type, traderId: idToFind(traderId), id: idToFind(taskId) };
    const task = await findTask(place, askerOf(call));
    if (!task) throw notFound();
    return taskMessage(task);
  };
