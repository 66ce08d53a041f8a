import type { Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listSalesChannels as list } from '../store/sales-channels.ts';
import { salesChannelMessage } from './messages.ts';

export const listSalesChannels: Rpc<'rbacAdministration.ListSalesChannels', Context> =
  ({ database }) =>
  async () => ({ salesChannels: (await list(database.em())).map(salesChannelMessage) });
