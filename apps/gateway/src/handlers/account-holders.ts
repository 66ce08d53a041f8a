import type { ReplyOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import type { Clients } from '../clients.ts';
import { json, rendered } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';
import { registryPage, requireSearched, type CsvFile } from './lists.ts';
import { located } from './registry.ts';
import { pageOf, withoutNulls } from './requests.ts';

export const accountHolderOf = (holder: ReplyOf<'registryImport.GetAccountHolder'>) => {
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

export const proposalOf = (proposal: ReplyOf<'registryImport.SubmitProposal'>) => {
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

const accountHolderFile: CsvFile<ReturnType<typeof accountHolderOf>> = {
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

const proposalFile: CsvFile<ReturnType<typeof proposalOf>> = {
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
export const accountHolders = ({ registryImport }: Clients): AccountHolderHandlers => ({
  listAccountHolders: async ({ query }, context) => {
    const { businessId, name, nameContains: namePart } = query;
    const request = { ...pageOf(query), ...withoutNulls({ businessId, name, namePart }) };
    const { accountHolders: found, searched, ...size } = await registryImport.ListAccountHolders(request, context.call);
    requireSearched(namePart, { searched });
    return registryPage(context, size, query, found.map(accountHolderOf), accountHolderFile);
  },
  createAccountHolder: async ({ body }, { call }) => {
    const content = { ...withoutNulls(body), address: withoutNulls(body.address) };
    const { accountHolder, created } = await registryImport.CreateAccountHolder({ content }, call);
    if (!accountHolder) throw new Error('registry-import answered without the account holder');
    const headers = located('account-holders', accountHolder.accountHolderId);
    return json(created ? 201 : 200, accountHolderOf(accountHolder), headers);
  },
  getAccountHolder: async ({ path: { accountHolderId } }, { call }) =>
    json(200, accountHolderOf(await registryImport.GetAccountHolder({ accountHolderId }, call))),
  updateAccountHolder: async ({ path: { accountHolderId }, body }, { call }) => {
    const request = { accountHolderId, mergePatchJson: JSON.stringify(body) };
    return json(200, accountHolderOf(await registryImport.UpdateAccountHolder(request, call)));
  },
  onramp: async ({ path: { accountHolderId }, headers, body }, { call }) => {
    // Without a client's key, a key of this request makes retries of calls inside idempotent.
    const idempotencyKey = headers['Idempotency-Key'] ?? newId();
    const request = { accountHolderId, idempotencyKey, ...body };
    const { transactionId, transaction, replayed } = await registryImport.Onramp(request, call);
    if (!transaction) throw new Error('registry-import answered without the transaction');
    return rendered(201, transaction.data, {
      ...located('transactions', transactionId),
      ...(replayed ? { 'Idempotency-Replayed': 'true' } : {}),
    });
  },
  listSubmittedProposals: async ({ query }, context) => {
    const { status, accountHolderId } = query;
    const request = { ...pageOf(query), ...withoutNulls({ status, accountHolderId }) };
    const { proposals, ...size } = await registryImport.ListSubmittedProposals(request, context.call);
    return registryPage(context, size, query, proposals.map(proposalOf), proposalFile);
  },
  getSubmittedProposal: async ({ path: { traderOnboardingProposalId: proposalId } }, { call }) =>
    json(200, proposalOf(await registryImport.GetSubmittedProposal({ proposalId }, call))),
  submitProposal: async ({ body }, { call }) => json(201, proposalOf(await registryImport.SubmitProposal(body, call))),
});
