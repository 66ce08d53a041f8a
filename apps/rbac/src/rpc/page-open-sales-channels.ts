import type { Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { openSalesChannels } from '../store/sales-channels.ts';

/** To whoever may apply: id and name are all that they are told of a channel. */
export const pageOpenSalesChannels: Rpc<'rbac.PageOpenSalesChannels', Context> =
  ({ database }) =>
  async ({ page }) => {
    const { rows, next } = await openSalesChannels(database.em(), readChannelPage(page));
    return { salesChannels: rows, next };
  };
