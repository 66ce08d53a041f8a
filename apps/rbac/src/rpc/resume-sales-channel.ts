import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { resumeSalesChannel as resume } from '../operations/suspend-sales-channel.ts';
import { salesChannelMessage } from './messages.ts';

export const resumeSalesChannel: Rpc<'rbacAdministration.ResumeSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const salesChannelId = idToFind(request.salesChannelId);
    return answerOnce(
      'rbacAdministration.ResumeSalesChannel',
      { database, call, request },
      async (transactional) => {
        const channel = await resume(transactional, salesChannelId, actorOf(call));
        logger.info({ salesChannelId }, 'sales channel resumed');
        return channel;
      },
      salesChannelMessage,
    );
  };
