import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readProposalSearch, readProposalStatus } from '../domain/list-filters.ts';
import { proposalsBySubmission } from '../store/proposals.ts';
import { proposalMessage } from './messages.ts';

export const pageProposals: Rpc<'traders.PageProposals', Context> =
  ({ reads }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const text = readProposalSearch(request.search);
    const search = text === undefined ? undefined : { salesChannelId, text };
    const filter = { salesChannelId, ...readProposalStatus(request, '$filter'), search };
    const asked = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), (em) => proposalsBySubmission(em, filter, asked));
    return { proposals: rows.map(proposalMessage), next, searched: search !== undefined };
  };
