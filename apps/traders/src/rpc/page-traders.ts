import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage, readListOrder } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readTraderFilter } from '../domain/list-filters.ts';
import { tradersOf } from '../store/trader-lists.ts';

export const pageTraders: Rpc<'traders.PageTraders', Context> =
  ({ reads }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const filter = readTraderFilter(request.filter);
    const asked = readChannelPage(request.page);
    const order = readListOrder(request.order, ['createdAt', 'name']);
    const { rows, next } = await reads.page(readerOf(call), (em) =>
      tradersOf(em, salesChannelId, filter, asked, order),
    );
    return { traders: rows, next, ordered: order !== undefined };
  };
