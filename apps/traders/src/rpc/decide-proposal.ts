import type { DecideProposalRequest__Output } from '@saleschannel/contracts/gen/traders/v1/DecideProposalRequest';
import type { Proposal } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { Decision } from '../domain/proposal.ts';
import { isStorable } from '../domain/trader.ts';
import { decideProposal } from '../operations/decide-proposal.ts';
import { proposalMessage } from './proposal-message.ts';

const deciding =
  (decision: Decision) =>
  ({ database }: Context) =>
  async ({ proposalId }: DecideProposalRequest__Output, call: Call): Promise<Proposal> => {
    const salesChannelId = salesChannelOf(call);
    if (!isStorable(proposalId)) throw notFound();
    return proposalMessage(await decideProposal(database, salesChannelId, proposalId, decision));
  };

export const acceptProposal = deciding('ACCEPTED');
export const rejectProposal = deciding('REJECTED');
