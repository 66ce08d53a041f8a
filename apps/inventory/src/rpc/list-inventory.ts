import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readInventoryFilter } from '../domain/list-filters.ts';
import { listableOf } from '../store/bundle-lists.ts';
import { chunksOf, listableAsset } from './messages.ts';

export const listInventory: Rpc<'inventory.ListInventory', Context> = ({ reads, isTrader }) =>
  async function* (request, call) {
    const [salesChannelId, reader] = [salesChannelOf(call), readerOf(call)];
    const traderId = idToFind(request.traderId);
    const filter = readInventoryFilter(request.filter);
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    const pages = reads.list(reader, (em, part) => listableOf(em, salesChannelId, traderId, filter, part));
    yield* chunksOf(pages, listableAsset);
  };
