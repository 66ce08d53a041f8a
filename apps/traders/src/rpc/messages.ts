import type { ResponseOf } from '@saleschannel/grpc';
import { NOT_ONBOARDED, type Proposal } from '../domain/proposal.ts';
import type { PartyRow } from '../store/parties.ts';

/** From what this service works with to messages. */

type ProposalMessage = ResponseOf<'traders.AcceptProposal'>;
type PartyMessage = NonNullable<ResponseOf<'traderDirectory.GetParties'>['parties']>[number];

export function proposalMessage({ traderId, ...proposal }: Proposal): ProposalMessage {
  if (proposal.status === 'PENDING') return proposal;
  return { ...proposal, onboardedTraderId: traderId ?? NOT_ONBOARDED };
}

export const partyMessage = ({ salesChannelId, traderId, accountHolderId }: PartyRow): PartyMessage =>
  accountHolderId === null ? { salesChannelId, traderId } : { salesChannelId, traderId, accountHolderId };
