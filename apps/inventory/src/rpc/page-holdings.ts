import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage, readListOrder } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readHoldingFilter } from '../domain/list-filters.ts';
import { bundleOrders } from '../store/bundle-lists.ts';
import { holdingsOf, orderedHoldingsOf } from '../store/holding-lists.ts';
import { holdingForm } from './list-messages.ts';
import { jsonRows } from './messages.ts';

export const pageHoldings: Rpc<'holdings.PageHoldings', Context> =
  ({ reads, tradersOf }) =>
  async (request, call) => {
    const accountHolderId = accountHolderOf(call);
    const filter = readHoldingFilter(request.filter);
    const { render, frame, about } = holdingForm(request.format);
    const asked = readChannelPage(request.page);
    const order = readListOrder(request.order, bundleOrders);
    const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
    const part = await reads.page(readerOf(call), (em) =>
      order ? orderedHoldingsOf(em, holder, filter, asked, order) : holdingsOf(em, holder, filter, asked),
    );
    return { ...jsonRows(part, render, frame), ...about, ordered: order !== undefined };
  };
