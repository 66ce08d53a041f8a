import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readInventoryFilter } from '../domain/list-filters.ts';
import { listableOf } from '../store/bundle-lists.ts';
import { jsonRows, listableAsset } from './messages.ts';

export const pageInventory: Rpc<'inventory.PageInventory', Context> =
  ({ reads, isTrader }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const traderId = idToFind(request.traderId);
    const filter = readInventoryFilter(request.filter);
    const asked = readChannelPage(request.page);
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    const read = reads.page(readerOf(call), (em) => listableOf(em, salesChannelId, traderId, filter, asked));
    return jsonRows(await read, listableAsset);
  };
