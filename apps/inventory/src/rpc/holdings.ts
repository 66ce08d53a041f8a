import { accountHolderOf, readerOf, type Call, type RequestOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage, readListOrder } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readHoldingFilter } from '../domain/list-requests.ts';
import { bundleOrders } from '../store/bundle-lists.ts';
import { holdingsOf, orderedHoldingsOf, type Holder, type HoldingFilter } from '../store/holding-lists.ts';
import { sumHoldings } from '../store/summaries.ts';
import { holdingForm } from './bundle-messages.ts';
import { summaryDocument, toChunks, toRows } from './messages.ts';

type HoldingsRequest = Pick<RequestOf<'holdings.SummarizeHoldings'>, 'filter'>;

/** Reads the filter and looks up the traders of the caller's account holder. */
async function readHoldings(
  { findTradersOfHolder }: Pick<Context, 'findTradersOfHolder'>,
  request: HoldingsRequest,
  call: Call,
): Promise<{ holder: Holder; filter: HoldingFilter }> {
  const accountHolderId = accountHolderOf(call);
  const filter = readHoldingFilter(request.filter);
  return { holder: { accountHolderId, traders: await findTradersOfHolder(accountHolderId, call) }, filter };
}

export const listHoldings: Rpc<'holdings.ListHoldings', Context> = (context) =>
  async function* (request, call) {
    const { holder, filter } = await readHoldings(context, request, call);
    const pages = context.reads.list(readerOf(call), (em, page) => holdingsOf(em, holder, filter, page));
    yield* toChunks(holdingForm(request.format), pages, {});
  };

export const pageHoldings: Rpc<'holdings.PageHoldings', Context> = (context) => async (request, call) => {
  const page = readChannelPage(request.page);
  const order = readListOrder(request.order, bundleOrders);
  const { holder, filter } = await readHoldings(context, request, call);
  const rows = await context.reads.page(readerOf(call), (em) =>
    order ? orderedHoldingsOf(em, holder, filter, page, order) : holdingsOf(em, holder, filter, page),
  );
  return { ...toRows(rows, holdingForm(request.format)), ordered: order !== undefined };
};

export const summarizeHoldings: Rpc<'holdings.SummarizeHoldings', Context> = (context) => async (request, call) => {
  const { holder, filter } = await readHoldings(context, request, call);
  const sums = await context.reads.page(readerOf(call), (em) => sumHoldings(em, holder, filter));
  return summaryDocument(sums, ['state', 'salesChannelId', 'vintage', 'productionFacilityId']);
};
