import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readInventoryFilter } from '../domain/list-filters.ts';
import { sumInventory } from '../store/summaries.ts';
import { summaryOf } from './summary-messages.ts';

export const summarizeInventory: Rpc<'inventory.SummarizeInventory', Context> =
  ({ reads, isTrader }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const traderId = idToFind(request.traderId);
    const filter = readInventoryFilter(request.filter);
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    const sums = await reads.page(readerOf(call), (em) => sumInventory(em, { salesChannelId, traderId }, filter));
    return summaryOf(sums, ['vintage', 'methodologyCode', 'productionFacilityId']);
  };
