import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parameters, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { stopping } from '../domain/sales-channel.ts';
import { refuseUsed } from '../neighbours/channel-use.ts';
import { closeSalesChannel as close } from '../operations/close-sales-channel.ts';
import { salesChannelMessage } from './messages.ts';

const place = parameters({ reason: 'reason' });

export const closeSalesChannel: Rpc<'rbacAdministration.CloseSalesChannel', Context> =
  ({ database, tasks, inventory, logger }) =>
  async (request, call) => {
    const { reason, ...asked } = parse(stopping, request, 'The closing is not valid.', place);
    const id = idToFind(asked.salesChannelId);
    return answerOnce(
      'rbacAdministration.CloseSalesChannel',
      { database, call, request },
      async (transactional) => {
        const closing = { id, reason, refuseUsed: () => refuseUsed({ tasks, inventory }, id, call) };
        const channel = await close(transactional, closing, actorOf(call));
        logger.info({ salesChannelId: id }, 'sales channel closed');
        return channel;
      },
      salesChannelMessage,
    );
  };
