import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { listProposals as list } from '../store/proposals.ts';
import { proposalMessage } from './messages.ts';

export const listProposals: Rpc<'traders.ListProposals', Context> = ({ database }) =>
  async function* (_request, call) {
    for await (const proposal of list(database, salesChannelOf(call))) yield proposalMessage(proposal);
  };
