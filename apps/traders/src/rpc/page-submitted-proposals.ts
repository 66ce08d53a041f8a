import { readerOf, type Rpc } from '@saleschannel/grpc';
import { readPage } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { readSubmittedFilter } from '../domain/list-filters.ts';
import { pageOfProposals } from '../store/proposals.ts';
import { proposalMessage } from './messages.ts';

export const pageSubmittedProposals: Rpc<'traderDirectory.PageSubmittedProposals', Context> =
  ({ reads }) =>
  async (request, call) => {
    const asked = readPage(request.page);
    const filter = readSubmittedFilter(request);
    const { total, next, rows } = await reads.page(readerOf(call), (em) => pageOfProposals(em, filter, asked));
    return { total, next, proposals: rows.map(proposalMessage) };
  };
