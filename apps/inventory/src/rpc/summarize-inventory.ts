import { notFound } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { readInventoryFilter } from '../domain/list-filters.ts';
import { sumInventory, type InventorySum } from '../store/summaries.ts';
import { documentOf, exactNumber } from './messages.ts';

export const summarizeInventory: Rpc<'inventory.SummarizeInventory', Context> =
  ({ reads, isTrader }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const traderId = idToFind(request.traderId);
    const filter = readInventoryFilter(request.filter);
    if (!(await isTrader(salesChannelId, traderId, call))) throw notFound();
    const sums = await reads.page(readerOf(call), (em) => sumInventory(em, { salesChannelId, traderId }, filter));
    return documentOf(JSON.stringify(summaryOf(sums)));
  };

function summaryOf(sums: readonly InventorySum[]): object {
  const sizeOf = ({ bundles, volume }: InventorySum) => ({ bundles, volume: exactNumber(volume) });
  const facet = (name: InventorySum['facet']) =>
    sums.filter((sum) => sum.facet === name).map((sum) => ({ value: sum.value, ...sizeOf(sum) }));
  const all = sums.find((sum) => sum.facet === null);
  return {
    ...(all ? sizeOf(all) : { bundles: 0, volume: 0 }),
    facets: {
      vintage: facet('vintage'),
      methodologyCode: facet('methodologyCode'),
      productionFacilityId: facet('productionFacilityId'),
    },
  };
}
