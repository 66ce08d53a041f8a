import { accountHolderOf, readerOf, type Call, type RequestOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage, readListOrder } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { parseHoldingFilter } from '../domain/list-requests.ts';
import { bundleOrders } from '../store/bundle-views.ts';
import { selectHoldings, selectOrderedHoldings, type Holder } from '../store/holding-lists.ts';
import { sumHoldings } from '../store/summaries.ts';
import { createHoldingForm } from './bundle-messages.ts';
import { toSummaryDocument, toChunks, toRows } from './messages.ts';

type HoldingsRequest = Pick<RequestOf<'holdings.SummarizeHoldings'>, 'filter'>;

const readHoldings = (request: HoldingsRequest, call: Call) => ({
  accountHolderId: accountHolderOf(call),
  filter: parseHoldingFilter(request.filter),
});

const findHolder = async (
  { findTradersOfHolder }: Pick<Context, 'findTradersOfHolder'>,
  accountHolderId: string,
  call: Call,
): Promise<Holder> => ({ accountHolderId, traders: await findTradersOfHolder(accountHolderId, call) });

export const listHoldings: Rpc<'holdings.ListHoldings', Context> = (context) =>
  async function* (request, call) {
    const { accountHolderId, filter } = readHoldings(request, call);
    const form = createHoldingForm(request.format);
    const holder = await findHolder(context, accountHolderId, call);
    const pages = context.reads.list(readerOf(call), (em, page) => selectHoldings(em, holder, filter, page));
    yield* toChunks(form, pages, {});
  };

export const pageHoldings: Rpc<'holdings.PageHoldings', Context> = (context) => async (request, call) => {
  const { accountHolderId, filter } = readHoldings(request, call);
  const page = readChannelPage(request.page);
  const order = readListOrder(request.order, bundleOrders);
  const holder = await findHolder(context, accountHolderId, call);
  const rows = await context.reads.page(readerOf(call), (em) =>
    order ? selectOrderedHoldings(em, holder, filter, page, order) : selectHoldings(em, holder, filter, page),
  );
  return { ...toRows(rows, createHoldingForm(request.format)), ordered: order !== undefined };
};

export const summarizeHoldings: Rpc<'holdings.SummarizeHoldings', Context> = (context) => async (request, call) => {
  const { accountHolderId, filter } = readHoldings(request, call);
  const holder = await findHolder(context, accountHolderId, call);
  const sums = await context.reads.page(readerOf(call), (em) => sumHoldings(em, holder, filter));
  return toSummaryDocument(sums, ['state', 'salesChannelId', 'vintage', 'productionFacilityId']);
};
