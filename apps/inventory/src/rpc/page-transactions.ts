import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readChannelFilter } from '../domain/list-filters.ts';
import { transactionsOfChannel } from '../store/transaction-lists.ts';
import { jsonRows, renderForChannel } from './messages.ts';

export const pageTransactions: Rpc<'inventory.PageTransactions', Context> =
  ({ reads }) =>
  async ({ filter, descending, page }, call) => {
    const salesChannelId = salesChannelOf(call);
    const asked = readChannelPage(page);
    const wanted = { ...readChannelFilter(filter), descending };
    const read = reads.page(readerOf(call), (em) => transactionsOfChannel(em, salesChannelId, wanted, asked));
    return jsonRows(await read, renderForChannel);
  };
