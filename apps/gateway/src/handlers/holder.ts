import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import { createJsonAnswer, createRenderedAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toAccountHolder, toProposal } from './account-holders.ts';
import { toChannelLink, openList, toListAnswer, requireExpanded, requireOrdered } from './lists.ts';
import {
  toRequiredPage,
  toChannelPage,
  toExpand,
  toFormat,
  LIST_TIMEOUT_MS,
  toListOrder,
  withoutNulls,
} from './requests.ts';

function toHoldingsQuery({ $filter = {} }: Pick<QueryOf<'listHoldings'>, '$filter'>) {
  const { state, salesChannelId, vintage, productionFacilityId } = $filter;
  const filter = withoutNulls({
    state: state?.eq,
    salesChannelId: salesChannelId?.eq,
    vintage: vintage?.eq === undefined ? undefined : Number(vintage.eq),
    productionFacilityId: productionFacilityId?.eq,
  });
  return { filter };
}

function toTransactionQuery({ $filter = {}, $orderBy }: QueryOf<'listHolderTransactions'>) {
  const { type, status, createdAt } = $filter;
  const filter = withoutNulls({ type: type?.eq, status: status?.eq, createdAt });
  return { filter, descending: $orderBy?.createdAt === 'desc' };
}

type HolderHandlers = Pick<
  Handlers,
  | 'getOwnHolder'
  | 'updateOwnHolder'
  | 'listHoldings'
  | 'summarizeHoldings'
  | 'onrampHoldings'
  | 'listHolderTransactions'
  | 'getHolderTransaction'
  | 'approveHolderTransaction'
  | 'rejectHolderTransaction'
  | 'listHolderProposals'
  | 'submitHolderProposal'
  | 'listOpenSalesChannels'
>;

/** Operations of the users of an account holder. */
export const createHolderHandlers = ({ holderPortal, holdings, traders, rbac }: Clients): HolderHandlers => ({
  getOwnHolder: async (_input, { callOptions }) =>
    createJsonAnswer(200, toAccountHolder(await holderPortal.GetOwnHolder({}, callOptions))),
  updateOwnHolder: async ({ body }, { callOptions }) => {
    const request = { mergePatchJson: JSON.stringify(body) };
    return createJsonAnswer(200, toAccountHolder(await holderPortal.UpdateOwnHolder(request, callOptions)));
  },
  listHoldings: async ({ query }, context) => {
    const order = toListOrder(query.$orderBy);
    const page = toChannelPage(query, order !== undefined);
    const request = { ...toHoldingsQuery(query), ...toFormat(context) };
    if (!page) {
      const { first, data } = await openList(
        holdings.ListHoldings(request, context.createStreamOptions(LIST_TIMEOUT_MS)),
      );
      return toListAnswer('holdings', context, first, data);
    }
    const { data, ...about } = await holdings.PageHoldings({ ...request, page, ...order }, context.callOptions);
    requireOrdered(order, about);
    return toListAnswer('holdings', context, about, data, toChannelLink(context, about.next));
  },
  summarizeHoldings: async ({ query }, { callOptions }) =>
    createRenderedAnswer(200, (await holdings.SummarizeHoldings(toHoldingsQuery(query), callOptions)).data),
  onrampHoldings: async ({ headers, body }, { callOptions }) => {
    const request = { idempotencyKey: headers['Idempotency-Key'], ...body };
    const { transactionId, transaction, replayed } = await holderPortal.OnrampHoldings(request, callOptions);
    if (!transaction) throw new Error('registry-import answered without the transaction');
    return createRenderedAnswer(201, transaction.data, {
      Location: `/account-portal/transactions/${encodeURIComponent(transactionId)}`,
      ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    });
  },
  listHolderTransactions: async ({ query }, context) => {
    const { $expand } = query;
    const request = { ...toTransactionQuery(query), ...toFormat(context), ...toExpand($expand) };
    const page = toChannelPage(query);
    const call = context.createStreamOptions(LIST_TIMEOUT_MS);
    if (!page) {
      const { first, data } = await openList(holdings.ListHolderTransactions(request, call));
      requireExpanded($expand, first);
      return toListAnswer('transactions', context, first, data);
    }
    const { first, data } = await openList(holdings.PageHolderTransactions({ ...request, page }, call));
    requireExpanded($expand, first);
    return toListAnswer('transactions', context, first, data, toChannelLink(context, first.next));
  },
  getHolderTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await holdings.GetHolderTransaction({ transactionId }, callOptions)).data),
  approveHolderTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await holdings.ApproveHolderTransaction({ transactionId }, callOptions)).data),
  rejectHolderTransaction: async ({ path: { transactionId } }, { callOptions }) =>
    createRenderedAnswer(200, (await holdings.RejectHolderTransaction({ transactionId }, callOptions)).data),
  listHolderProposals: async ({ query }, context) => {
    const request = { ...withoutNulls({ status: query.$filter?.status?.eq }), page: toRequiredPage(query) };
    const { proposals, next } = await traders.PageHolderProposals(request, context.callOptions);
    return createJsonAnswer(200, proposals.map(toProposal), toChannelLink(context, next));
  },
  submitHolderProposal: async ({ body }, { callOptions }) =>
    createJsonAnswer(201, toProposal(await holderPortal.SubmitHolderProposal(body, callOptions))),
  listOpenSalesChannels: async ({ query }, context) => {
    const { salesChannels, next } = await rbac.PageOpenSalesChannels(
      { page: toRequiredPage(query) },
      context.callOptions,
    );
    return createJsonAnswer(
      200,
      salesChannels.map(({ id, name }) => ({ id, name })),
      toChannelLink(context, next),
    );
  },
});
