import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { endBinding as end } from '../operations/change-binding.ts';

export const endBinding: Rpc<'rbacAdministration.EndBinding', Context> =
  ({ database, logger }) =>
  async ({ userId }, call) => {
    const ended = await end(database, idToFind(userId), actorOf(call));
    if (!ended) return {};
    logger.info({ userId, salesChannelId: ended.binding.salesChannelId }, 'binding ended by the operator');
    return ended;
  };
