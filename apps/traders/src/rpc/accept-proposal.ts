import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { decideProposal } from '../operations/decide-proposal.ts';
import { proposalMessage } from './messages.ts';

export const acceptProposal: Rpc<'traders.AcceptProposal', Context> =
  ({ database }) =>
  async ({ proposalId }, call) =>
    proposalMessage(
      await decideProposal(database, salesChannelOf(call), idToFind(proposalId), 'ACCEPTED', actorOf(call)),
    );
