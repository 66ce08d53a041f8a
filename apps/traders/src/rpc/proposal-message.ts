import type { Proposal as ProposalMessage } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import { NOT_ONBOARDED, type Proposal } from '../domain/proposal.ts';

export function proposalMessage({ traderId, ...proposal }: Proposal): ProposalMessage {
  if (proposal.status === 'PENDING') return proposal;
  return {
    ...proposal,
    onboardedTraderId: proposal.status === 'ACCEPTED' && traderId !== null ? traderId : NOT_ONBOARDED,
  };
}
