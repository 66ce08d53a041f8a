import { actorOf } from '@saleschannel/audit';
import { forbidden } from '@saleschannel/errors';
import { salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import type { Context } from '../context.ts';
import { replaceSalesChannel as replace } from '../operations/replace-sales-channel.ts';

export const replaceSalesChannel: Rpc<'rbac.ReplaceSalesChannel', Context> =
  ({ database, isSandbox, logger }) =>
  async (request, call) => {
    // A second lock: elsewhere no service calls it, and whoever stole a key could.
    if (!isSandbox) throw forbidden();
    const { userId } = userOf(call);
    const previousSalesChannelId = salesChannelOf(call);
    return answerOnce(
      'rbac.ReplaceSalesChannel',
      { database, call, request },
      async (transactional) => {
        const asked = { userId, salesChannelId: previousSalesChannelId };
        const salesChannelId = await replace(transactional, asked, actorOf(call));
        logger.info({ salesChannelId, previousSalesChannelId }, 'sales channel replaced');
        return salesChannelId;
      },
      (salesChannelId) => ({ salesChannelId, previousSalesChannelId }),
    );
  };
