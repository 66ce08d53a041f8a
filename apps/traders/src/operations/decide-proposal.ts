import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { decide, type Decision, type Proposal } from '../domain/proposal.ts';
import * as store from '../store/proposals.ts';

const changes: Record<Decision, (em: EntityManager, proposalId: string) => Promise<Proposal>> = {
  ACCEPTED: (em, proposalId) => store.acceptProposal(em, proposalId, newId()),
  REJECTED: store.rejectProposal,
};

/**
 * Accepts or rejects a proposal to the channel; accepting creates the trader. What was decided the same way before is answered as it is.
 * @throws DomainError 'not-found', or 'request-refused' when the opposite was decided
 */
export const decideProposal = (
  database: Database,
  salesChannelId: string,
  proposalId: string,
  decision: Decision,
): Promise<Proposal> =>
  database.transaction(async (em) => {
    const proposal = await store.lockProposal(em, salesChannelId, proposalId);
    if (!proposal) throw notFound();
    return decide(proposal.status, decision) === 'changes' ? changes[decision](em, proposal.id) : proposal;
  });
