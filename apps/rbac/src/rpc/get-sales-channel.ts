import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findSalesChannel } from '../store/sales-channels.ts';
import { salesChannelMessage } from './messages.ts';

export const getSalesChannel: Rpc<'bindingDirectory.GetSalesChannel', Context> =
  ({ database }) =>
  async ({ salesChannelId }) => {
    const channel = await findSalesChannel(database.em(), idToFind(salesChannelId));
    if (!channel) throw notFound();
    return salesChannelMessage(channel);
  };
