import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readProposalStatus } from '../domain/list-filters.ts';
import { proposalsBySubmission } from '../store/proposals.ts';
import { proposalMessage } from './messages.ts';

export const listProposals: Rpc<'traders.ListProposals', Context> = ({ reads }) =>
  async function* (request, call) {
    const reader = readerOf(call);
    const filter = { salesChannelId: salesChannelOf(call), ...readProposalStatus(request, '$filter') };
    const pages = reads.list(reader, (em, part) => proposalsBySubmission(em, filter, part));
    for await (const proposals of pages) yield* proposals.map(proposalMessage);
  };
