import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import {
  accountHolderOf,
  readerOf,
  salesChannelOf,
  type Call,
  type RequestOf,
  type ResponseOf,
  type Rpc,
} from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import {
  id,
  idToFind,
  parameters,
  parse,
  readChannelPage,
  readPage,
  searchText,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { application, NOT_ONBOARDED, type Decision, type Proposal } from '../domain/proposal.ts';
import { requireSalesChannel } from '../neighbours/sales-channels.ts';
import { decideProposal, submitProposal as submit } from '../operations/proposals.ts';
import { findProposal, selectProposalsWithTotal, selectProposals, type ProposalFilter } from '../store/proposals.ts';

type ProposalMessage = ResponseOf<'traders.AcceptProposal'>;

function toProposalMessage({ traderId, ...proposal }: Proposal): ProposalMessage {
  if (proposal.status === 'PENDING') return proposal;
  return { ...proposal, onboardedTraderId: traderId ?? NOT_ONBOARDED };
}

const decide =
  ({ database }: Context, operation: 'traders.AcceptProposal' | 'traders.RejectProposal', decision: Decision) =>
  async (request: RequestOf<'traders.AcceptProposal'>, call: Call): Promise<ProposalMessage> => {
    const [salesChannelId, proposalId] = [salesChannelOf(call), idToFind(request.proposalId)];
    return answerOnce(
      operation,
      { database, call, request },
      (transactional) => decideProposal(transactional, salesChannelId, proposalId, decision, actorOf(call)),
      toProposalMessage,
    );
  };

export const acceptProposal: Rpc<'traders.AcceptProposal', Context> = (context) =>
  decide(context, 'traders.AcceptProposal', 'ACCEPTED');

export const rejectProposal: Rpc<'traders.RejectProposal', Context> = (context) =>
  decide(context, 'traders.RejectProposal', 'REJECTED');

export const listProposals: Rpc<'traders.ListProposals', Context> = ({ reads }) =>
  async function* (request, call) {
    const reader = readerOf(call);
    const filter = { salesChannelId: salesChannelOf(call), ...readProposalStatus(request, '$filter') };
    const pages = reads.list(reader, (em, page) => selectProposals(em, filter, page));
    for await (const proposals of pages) yield* proposals.map(toProposalMessage);
  };

const status = z.enum(['PENDING', 'ACCEPTED', 'REJECTED']).optional();
const INVALID_FILTER = 'The list cannot be filtered this way.';

const proposalStatus = z.object({ status });

/** @param parameter its name in the public API. @throws DomainError 'invalid-request' that names the parameter */
const readProposalStatus = (request: unknown, parameter: string): z.output<typeof proposalStatus> =>
  parse(proposalStatus, request, INVALID_FILTER, parameters({ status: parameter }));

const proposalSearch = z.object({ search: searchText.optional() });

/** @throws DomainError 'invalid-request' that names the parameter */
const readProposalSearch = (search: unknown): string | undefined =>
  parse(proposalSearch, { search }, INVALID_FILTER, parameters({ search: 'q' })).search;

const submittedFilter = z.object({ status, accountHolderId: id.optional() });
const submittedParameters = parameters({ status: 'status', accountHolderId: 'accountHolderId' });

/** @throws DomainError 'invalid-request' that names the parameter */
const readSubmittedFilter = (request: unknown): z.output<typeof submittedFilter> =>
  parse(submittedFilter, request, INVALID_FILTER, submittedParameters);

async function readProposals(
  { reads }: Context,
  filter: ProposalFilter,
  requested: RequestOf<'traders.PageProposals'>['page'],
  call: Call,
) {
  const page = readChannelPage(requested);
  const { rows, next } = await reads.page(readerOf(call), (em) => selectProposals(em, filter, page));
  return { proposals: rows.map(toProposalMessage), next };
}

export const pageProposals: Rpc<'traders.PageProposals', Context> = (context) => async (request, call) => {
  const salesChannelId = salesChannelOf(call);
  const text = readProposalSearch(request.search);
  const search = text === undefined ? undefined : { salesChannelId, text };
  const filter = { salesChannelId, ...readProposalStatus(request, '$filter'), search };
  return { ...(await readProposals(context, filter, request.page, call)), searched: search !== undefined };
};

export const pageHolderProposals: Rpc<'traders.PageHolderProposals', Context> = (context) => async (request, call) => {
  const filter = { accountHolderId: accountHolderOf(call), ...readProposalStatus(request, '$filter') };
  return readProposals(context, filter, request.page, call);
};

export const pageSubmittedProposals: Rpc<'traderDirectory.PageSubmittedProposals', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const filter = readSubmittedFilter(request);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => selectProposalsWithTotal(em, filter, page));
    return { total, next, proposals: rows.map(toProposalMessage) };
  };

export const findSubmittedProposal: Rpc<'traderDirectory.FindSubmittedProposal', Context> =
  ({ database }) =>
  async ({ proposalId }) => {
    const proposal = await findProposal(database.em(), idToFind(proposalId));
    if (!proposal) throw notFound();
    return toProposalMessage(proposal);
  };

export const submitProposal: Rpc<'traderDirectory.SubmitProposal', Context> =
  ({ database, rbac }) =>
  async (request, call) => {
    const submitted = parse(application, request, 'The proposal is not valid.');
    await requireSalesChannel(rbac, submitted.salesChannelId, call);
    const { accountHolderId, salesChannelId } = submitted;
    return answerOnce(
      'traderDirectory.SubmitProposal',
      // Without the account holder's name and address, which may change between a request and its retry.
      { database, call, request: { accountHolderId, salesChannelId } },
      (transactional) => submit(transactional, submitted, actorOf(call)),
      toProposalMessage,
    );
  };

/**
 * registry-import supplies the account holder's data. The principal token names the account holder of the user.
 */
export const submitHolderProposal: Rpc<'traderDirectory.SubmitHolderProposal', Context> = (context) => {
  const submitAny = submitProposal(context);
  return async (request, call) => {
    if (request.accountHolderId !== accountHolderOf(call)) throw notFound();
    return submitAny(request, call);
  };
};
