import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind, parameters, parse, reason } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { suspendSalesChannel as suspend } from '../operations/suspend-sales-channel.ts';
import { salesChannelMessage } from './messages.ts';

const requestSchema = z.object({ salesChannelId: z.string(), reason });
const place = parameters({ reason: 'reason' });

export const suspendSalesChannel: Rpc<'rbacAdministration.SuspendSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const suspension = parse(requestSchema, request, 'The suspension is not valid.', place);
    const channel = await suspend(database, idToFind(suspension.salesChannelId), suspension.reason, actorOf(call));
    logger.info({ salesChannelId: channel.id }, 'sales channel suspended');
    return salesChannelMessage(channel);
  };
