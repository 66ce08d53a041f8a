import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readHoldingFilter } from '../domain/list-filters.ts';
import { sumHoldings } from '../store/summaries.ts';
import { summaryOf } from './summary-messages.ts';

export const summarizeHoldings: Rpc<'holdings.SummarizeHoldings', Context> =
  ({ reads, tradersOf }) =>
  async (request, call) => {
    const accountHolderId = accountHolderOf(call);
    const filter = readHoldingFilter(request.filter);
    const holder = { accountHolderId, traders: await tradersOf(accountHolderId, call) };
    const sums = await reads.page(readerOf(call), (em) => sumHoldings(em, holder, filter));
    return summaryOf(sums, ['state', 'salesChannelId', 'vintage', 'productionFacilityId']);
  };
