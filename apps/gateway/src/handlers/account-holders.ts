import { pick, toAccountHolder } from '@saleschannel/edge';
import type { ReplyOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import { createJsonAnswer, createRenderedAnswer, createReplyAnswer } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import {
  toRegistryPage,
  requireSearched,
  pickColumns,
  type CsvFile,
  toChannelLink,
  openList,
  toListAnswer,
  toExpandedAnswer,
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

const toProposal = (proposal: ReplyOf<'registryImport.SubmitProposal'>) => ({
  ...pick(proposal, 'id', 'accountHolderId', 'salesChannelId', 'name', 'businessId'),
  onboardedTraderId: proposal.onboardedTraderId ?? null,
  status: proposal.status,
});

const accountHolderFile: CsvFile<ReturnType<typeof toAccountHolder>> = {
  name: 'account-holders',
  columns: pickColumns(
    'accountHolderId',
    'name',
    'businessId',
    'address.postalCode',
    'address.city',
    'address.country',
    'address.street1',
    'address.street2',
    'autoApproval',
    'registeredOn',
    'kind',
    'status',
  ),
};

const proposalFile: CsvFile<ReturnType<typeof toProposal>> = {
  name: 'trader-onboarding-proposals',
  columns: pickColumns('id', 'accountHolderId', 'salesChannelId', 'name', 'businessId', 'onboardedTraderId', 'status'),
};

export const createAccountHolderHandlers = ({ registryImport }: Clients) =>
  ({
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
    getAccountHolder: async ({ path }, { callOptions }) =>
      createJsonAnswer(200, toAccountHolder(await registryImport.GetAccountHolder(path, callOptions))),
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
  }) satisfies Partial<Handlers>;

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

export const createHolderHandlers = ({ holderPortal, holdings, traders, rbac }: Clients) =>
  ({
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
    summarizeHoldings: ({ query }, { callOptions }) =>
      createReplyAnswer(holdings.SummarizeHoldings(toHoldingsQuery(query), callOptions)),
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
      const messages = page
        ? holdings.PageHolderTransactions({ ...request, page }, call)
        : holdings.ListHolderTransactions(request, call);
      return toExpandedAnswer('transactions', context, $expand, messages);
    },
    getHolderTransaction: ({ path }, { callOptions }) =>
      createReplyAnswer(holdings.GetHolderTransaction(path, callOptions)),
    approveHolderTransaction: ({ path }, { callOptions }) =>
      createReplyAnswer(holdings.ApproveHolderTransaction(path, callOptions)),
    rejectHolderTransaction: ({ path }, { callOptions }) =>
      createReplyAnswer(holdings.RejectHolderTransaction(path, callOptions)),
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
  }) satisfies Partial<Handlers>;
