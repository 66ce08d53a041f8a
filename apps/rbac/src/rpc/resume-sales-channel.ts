import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { resumeSalesChannel as resume } from '../operations/suspend-sales-channel.ts';
import { salesChannelMessage } from './messages.ts';

export const resumeSalesChannel: Rpc<'rbacAdministration.ResumeSalesChannel', Context> =
  ({ database, logger }) =>
  async ({ salesChannelId }, call) => {
    const channel = await resume(database, idToFind(salesChannelId), actorOf(call));
    logger.info({ salesChannelId: channel.id }, 'sales channel resumed');
    return salesChannelMessage(channel);
  };
