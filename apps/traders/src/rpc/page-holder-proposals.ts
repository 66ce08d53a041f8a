import { accountHolderOf, readerOf, type Rpc } from '@saleschannel/grpc';
import { readChannelPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readProposalStatus } from '../domain/list-filters.ts';
import { proposalsBySubmission } from '../store/proposals.ts';
import { proposalMessage } from './messages.ts';

export const pageHolderProposals: Rpc<'traders.PageHolderProposals', Context> =
  ({ reads }) =>
  async (request, call) => {
    const filter = { accountHolderId: accountHolderOf(call), ...readProposalStatus(request, '$filter') };
    const asked = readChannelPage(request.page);
    const { rows, next } = await reads.page(readerOf(call), (em) => proposalsBySubmission(em, filter, asked));
    return { proposals: rows.map(proposalMessage), next };
  };
