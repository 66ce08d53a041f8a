import { actorOf } from '@saleschannel/audit';
import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { decideProposal } from '../operations/decide-proposal.ts';
import { proposalMessage } from './messages.ts';

export const acceptProposal: Rpc<'traders.AcceptProposal', Context> =
  ({ database }) =>
  async (request, call) => {
    const [salesChannelId, proposalId] = [salesChannelOf(call), idToFind(request.proposalId)];
    return answerOnce(
      'traders.AcceptProposal',
      { database, call, request },
      (transactional) => decideProposal(transactional, salesChannelId, proposalId, 'ACCEPTED', actorOf(call)),
      proposalMessage,
    );
  };
