import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import { json, rendered } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { accountHolderOf, proposalOf } from './account-holders.ts';
import { channelLink, opened, renderedAs, requireExpanded, requireOrdered } from './lists.ts';
import {
  alwaysPageOf,
  channelPageOf,
  expandOf,
  formatOf,
  LIST_TIMEOUT_MS,
  listOrderOf,
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
export const holder = ({ holderPortal, holdings, traders, rbac }: Clients): HolderHandlers => ({
  getOwnHolder: async (_input, { call }) => json(200, accountHolderOf(await holderPortal.GetOwnHolder({}, call))),
  updateOwnHolder: async ({ body }, { call }) => {
    const request = { mergePatchJson: JSON.stringify(body) };
    return json(200, accountHolderOf(await holderPortal.UpdateOwnHolder(request, call)));
  },
  listHoldings: async ({ query }, context) => {
    const order = listOrderOf(query.$orderBy);
    const page = channelPageOf(query, order !== undefined);
    const request = { ...toHoldingsQuery(query), ...formatOf(context) };
    if (!page) {
      const { first, data } = await opened(holdings.ListHoldings(request, context.streamOf(LIST_TIMEOUT_MS)));
      return renderedAs('holdings', context, first, data);
    }
    const { data, ...about } = await holdings.PageHoldings({ ...request, page, ...order }, context.call);
    requireOrdered(order, about);
    return renderedAs('holdings', context, about, data, channelLink(context, about.next));
  },
  summarizeHoldings: async ({ query }, { call }) =>
    rendered(200, (await holdings.SummarizeHoldings(toHoldingsQuery(query), call)).data),
  onrampHoldings: async ({ headers, body }, { call }) => {
    const request = { idempotencyKey: headers['Idempotency-Key'], ...body };
    const { transactionId, transaction, replayed } = await holderPortal.OnrampHoldings(request, call);
    if (!transaction) throw new Error('registry-import answered without the transaction');
    return rendered(201, transaction.data, {
      Location: `/account-portal/transactions/${encodeURIComponent(transactionId)}`,
      ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    });
  },
  listHolderTransactions: async ({ query }, context) => {
    const { $expand } = query;
    const request = { ...toTransactionQuery(query), ...formatOf(context), ...expandOf($expand) };
    const page = channelPageOf(query);
    const call = context.streamOf(LIST_TIMEOUT_MS);
    if (!page) {
      const { first, data } = await opened(holdings.ListHolderTransactions(request, call));
      requireExpanded($expand, first);
      return renderedAs('transactions', context, first, data);
    }
    const { first, data } = await opened(holdings.PageHolderTransactions({ ...request, page }, call));
    requireExpanded($expand, first);
    return renderedAs('transactions', context, first, data, channelLink(context, first.next));
  },
  getHolderTransaction: async ({ path: { transactionId } }, { call }) =>
    rendered(200, (await holdings.GetHolderTransaction({ transactionId }, call)).data),
  approveHolderTransaction: async ({ path: { transactionId } }, { call }) =>
    rendered(200, (await holdings.ApproveHolderTransaction({ transactionId }, call)).data),
  rejectHolderTransaction: async ({ path: { transactionId } }, { call }) =>
    rendered(200, (await holdings.RejectHolderTransaction({ transactionId }, call)).data),
  listHolderProposals: async ({ query }, context) => {
    const request = { ...withoutNulls({ status: query.$filter?.status?.eq }), page: alwaysPageOf(query) };
    const { proposals, next } = await traders.PageHolderProposals(request, context.call);
    return json(200, proposals.map(proposalOf), channelLink(context, next));
  },
  submitHolderProposal: async ({ body }, { call }) =>
    json(201, proposalOf(await holderPortal.SubmitHolderProposal(body, call))),
  listOpenSalesChannels: async ({ query }, context) => {
    const { salesChannels, next } = await rbac.PageOpenSalesChannels({ page: alwaysPageOf(query) }, context.call);
    return json(
      200,
      salesChannels.map(({ id, name }) => ({ id, name })),
      channelLink(context, next),
    );
  },
});
