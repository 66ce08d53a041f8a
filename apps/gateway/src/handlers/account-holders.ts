import type { ReplyOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import type { Clients } from '../clients.ts';
import { createJsonAnswer, createRenderedAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import {
  toRegistryPage,
  requireSearched,
  type CsvFile,
  toChannelLink,
  openList,
  toListAnswer,
  requireExpanded,
  requireOrdered,
} from './lists.ts';
import { toLocationHeader } from './registry.ts';
import {
  toPage,
  withoutNulls,
  toRequiredPage,
  toChannelPage,
  toExpand,
  toFormat,
  LIST_TIMEOUT_MS,
  toListOrder,
} from './requests.ts';
import type { QueryOf } from '../contract/operations.ts';

const toAccountHolder = (holder: ReplyOf<'registryImport.GetAccountHolder'>) => {
  const { accountHolderId, name, businessId, address, autoApproval, registeredOn, kind, status } = holder;
  if (!address) throw new Error('registry-import answered without the address');
  const { postalCode, city, country, street1, street2 } = address;
  return {
    accountHolderId,
    name,
    businessId,
    address: { postalCode, city, country, street1, street2: street2 ?? null },
    autoApproval,
    registeredOn,
    kind,
    status,
  };
};

const toProposal = (proposal: ReplyOf<'registryImport.SubmitProposal'>) => {
  const { id, accountHolderId, salesChannelId, name, businessId, onboardedTraderId, status } = proposal;
  return {
    id,
    accountHolderId,
    salesChannelId,
    name,
    businessId,
    onboardedTraderId: onboardedTraderId ?? null,
    status,
  };
};

const accountHolderFile: CsvFile<ReturnType<typeof toAccountHolder>> = {
  name: 'account-holders',
  columns: {
    accountHolderId: ({ accountHolderId }) => accountHolderId,
    name: ({ name }) => name,
    businessId: ({ businessId }) => businessId,
    'address.postalCode': ({ address }) => address.postalCode,
    'address.city': ({ address }) => address.city,
    'address.country': ({ address }) => address.country,
    'address.street1': ({ address }) => address.street1,
    'address.street2': ({ address }) => address.street2,
    autoApproval: ({ autoApproval }) => String(autoApproval),
    registeredOn: ({ registeredOn }) => registeredOn,
    kind: ({ kind }) => kind,
    status: ({ status }) => status,
  },
};

const proposalFile: CsvFile<ReturnType<typeof toProposal>> = {
  name: 'trader-onboarding-proposals',
  columns: {
    id: ({ id }) => id,
    accountHolderId: ({ accountHolderId }) => accountHolderId,
    salesChannelId: ({ salesChannelId }) => salesChannelId,
    name: ({ name }) => name,
    businessId: ({ businessId }) => businessId,
    onboardedTraderId: ({ onboardedTraderId }) => onboardedTraderId,
    status: ({ status }) => status,
  },
};

type AccountHolderHandlers = Pick<
  Handlers,
  | 'listAccountHolders'
  | 'createAccountHolder'
  | 'getAccountHolder'
  | 'updateAccountHolder'
  | 'onramp'
  | 'submitProposal'
  | 'listSubmittedProposals'
  | 'getSubmittedProposal'
>;

/** Account holders, their onramps and their proposals. */
export const createAccountHolderHandlers = ({ registryImport }: Clients): AccountHolderHandlers => ({
  listAccountHolders: async ({ query }, context) => {
    const { businessId, name, nameContains: namePart } = query;
    const request = { ...toPage(query), ...withoutNulls({ businessId, name, namePart }) };
    const {
      accountHolders: found,
      searched,
      ...size
    } = await registryImport.ListAccountHolders(request, context.callOptions);
    requireSearched(namePart, { searched });
    return toRegistryPage(context, size, query, found.map(toAccountHolder), accountHolderFile);
  },
  createAccountHolder: async ({ body }, { callOptions }) => {
    const content = { ...withoutNulls(body), address: withoutNulls(body.address) };
    const { accountHolder, created } = await registryImport.CreateAccountHolder({ content }, callOptions);
    if (!accountHolder) throw new Error('registry-import answered without the account holder');
    const headers = toLocationHeader('account-holders', accountHolder.accountHolderId);
    return createJsonAnswer(created ? 201 : 200, toAccountHolder(accountHolder), headers);
  },
  getAccountHolder: async ({ path: { accountHolderId } }, { callOptions }) =>
    createJsonAnswer(200, toAccountHolder(await registryImport.GetAccountHolder({ accountHolderId }, callOptions))),
  updateAccountHolder: async ({ path: { accountHolderId }, body }, { callOptions }) => {
    const request = { accountHolderId, mergePatchJson: JSON.stringify(body) };
    return createJsonAnswer(200, toAccountHolder(await registryImport.UpdateAccountHolder(request, callOptions)));
  },
  onramp: async ({ path: { accountHolderId }, headers, body }, { callOptions }) => {
    // Without a key of the client, a new key makes internal retries of the call idempotent.
    const idempotencyKey = headers['Idempotency-Key'] ?? newId();
    const request = { accountHolderId, idempotencyKey, ...body };
    const { transactionId, transaction, replayed } = await registryImport.Onramp(request, callOptions);
    if (!transaction) throw new Error('registry-import answered without the transaction');
    return createRenderedAnswer(201, transaction.data, {
      ...toLocationHeader('transactions', transactionId),
      ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    });
  },
  listSubmittedProposals: async ({ query }, context) => {
    const { status, accountHolderId } = query;
    const request = { ...toPage(query), ...withoutNulls({ status, accountHolderId }) };
    const { proposals, ...size } = await registryImport.ListSubmittedProposals(request, context.callOptions);
    return toRegistryPage(context, size, query, proposals.map(toProposal), proposalFile);
  },
  getSubmittedProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { callOptions }) =>
    createJsonAnswer(200, toProposal(await registryImport.GetSubmittedProposal({ proposalId }, callOptions))),
  submitProposal: async ({ body }, { callOptions }) =>
    createJsonAnswer(201, toProposal(await registryImport.SubmitProposal(body, callOptions))),
});

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
