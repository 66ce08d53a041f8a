import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { rangeOfSummary, readChannelFilter, readSummary, typesOfChannel } from '../domain/list-filters.ts';
import { sumTransactions } from '../store/summaries.ts';
import { documentOf, exactNumber } from './messages.ts';

export const summarizeTransactions: Rpc<'inventory.SummarizeTransactions', Context> =
  ({ reads, clock }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const { groupBy, timeZone } = readSummary(request);
    const { type, status = 'SUCCESS', createdAt, ...others } = readChannelFilter(request.filter);
    const wanted = {
      ...others,
      salesChannelId,
      types: type ? [type] : typesOfChannel,
      status,
      createdAt: rangeOfSummary(createdAt, clock.now()),
    };
    const sums = await reads.page(readerOf(call), (em) => sumTransactions(em, wanted, groupBy, timeZone));
    return documentOf(JSON.stringify(sums.map((sum) => ({ ...sum, volume: exactNumber(sum.volume) }))));
  };
