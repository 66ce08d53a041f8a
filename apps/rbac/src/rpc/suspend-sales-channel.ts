import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { stopping } from '../domain/sales-channel.ts';
import { suspendSalesChannel as suspend } from '../operations/suspend-sales-channel.ts';
import { salesChannelMessage } from './messages.ts';

const place = parameters({ reason: 'reason' });

export const suspendSalesChannel: Rpc<'rbacAdministration.SuspendSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const suspension = parse(stopping, request, 'The suspension is not valid.', place);
    const salesChannelId = idToFind(suspension.salesChannelId);
    return answerOnce(
      'rbacAdministration.SuspendSalesChannel',
      { database, call, request },
      async (transactional) => {
        const channel = await suspend(transactional, salesChannelId, suspension.reason, actorOf(call));
        logger.info({ salesChannelId }, 'sales channel suspended');
        return channel;
      },
      salesChannelMessage,
    );
  };
