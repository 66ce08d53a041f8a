import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind, readChannelPage, readListOrder } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { inventoryVersion, isKnown } from '../domain/inventory-version.ts';
import { readInventoryFilter } from '../domain/list-filters.ts';
import { bundleOrders } from '../store/bundle-lists.ts';
import { changesOf, listableOf, orderedListableOf } from '../store/inventory-lists.ts';
import { assetForm } from './list-messages.ts';
import { documentOf, jsonRows } from './messages.ts';

export const pageInventory: Rpc<'inventory.PageInventory', Context> =
  ({ reads, isTrader }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const traderId = idToFind(request.traderId);
    const filter = readInventoryFilter(request.filter);
    const { render, frame, about } = assetForm(request.format);
    const asked = readChannelPage(request.page);
    const order = readListOrder(request.order, bundleOrders);
    const ordered = order !== undefined;
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    return reads.page(readerOf(call), async (em) => {
      const changes = await changesOf(em, traderId);
      const version = inventoryVersion(changes, { salesChannelId, traderId, filter, asked, order, ...about });
      if (isKnown(version, request.known)) return { ...documentOf(''), version, unchanged: true, ordered };
      const part = await (order
        ? orderedListableOf(em, salesChannelId, traderId, filter, asked, order)
        : listableOf(em, salesChannelId, traderId, filter, asked));
      return { ...jsonRows(part, render, frame), ...about, version, ordered };
    });
  };
