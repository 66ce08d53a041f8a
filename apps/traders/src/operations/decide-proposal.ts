import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { identityDigest } from '../domain/identity-digest.ts';
import { decide, type Decision, type Proposal } from '../domain/proposal.ts';
import { acceptProposal, lockProposal, rejectProposal } from '../store/proposals.ts';

const changes: Record<Decision, (em: EntityManager, proposalId: string) => Promise<Proposal | undefined>> = {
  ACCEPTED: (em, proposalId) => acceptProposal(em, proposalId, newId()),
  REJECTED: rejectProposal,
};

/**
 * Accepts or rejects a proposal to the channel. Accepting creates the trader. What was decided the same way before is
 * returned as it is.
 * @throws DomainError 'not-found', or 'request-refused' when the opposite was decided
 */
export const decideProposal = (
  database: Database,
  salesChannelId: string,
  proposalId: string,
  decision: Decision,
  actor: Actor,
): Promise<Proposal> =>
  database.transaction(async (em) => {
    const proposal = await lockProposal(em, salesChannelId, proposalId);
    if (!proposal) throw notFound();
    if (decide(proposal.status, decision) === 'stands') return proposal;
    const decided = await changes[decision](em, proposal.id);
    if (!decided) throw new Error('a locked proposal is missing');
    const action = decision === 'ACCEPTED' ? 'traders.proposal.accepted' : 'traders.proposal.rejected';
    const { id, accountHolderId, traderId } = decided;
    const digest = traderId === null ? {} : { digest: identityDigest(traderId, decided) };
    const after = { accountHolderId, traderId, ...digest };
    const act = { action, subject: { type: 'trader-onboarding-proposal', id }, after } as const;
    await recordAudit(em, [{ ...act, scopes: [salesChannelId, REGISTRY_SCOPE], actor }]);
    return decided;
  });
