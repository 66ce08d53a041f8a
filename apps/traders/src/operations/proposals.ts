import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import { notFound } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { checkDecision, type Application, type Decision, type Proposal } from '../domain/proposal.ts';
import { computeIdentityDigest } from '../domain/trader.ts';
import {
  acceptProposal,
  findHolderProposal,
  lockProposal,
  rejectProposal,
  submitProposal as submit,
} from '../store/proposals.ts';

/**
 * Submits an account holder's proposal to a channel, or submits it again after a rejection. Returns a pending or
 * accepted one unchanged.
 */
export const submitProposal = (database: Database, application: Application, actor: Actor): Promise<Proposal> =>
  database.transaction(async (em) => {
    const { accountHolderId, salesChannelId } = application;
    const submitted = await submit(em, newId(), application);
    const proposal = submitted ?? (await findHolderProposal(em, accountHolderId, salesChannelId));
    if (submitted) {
      const subject = { type: 'trader-onboarding-proposal', id: submitted.id };
      const act = { action: 'traders.proposal.submitted', subject, after: { accountHolderId } } as const;
      await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE, salesChannelId], actor }]);
    }
    if (!proposal) throw new Error('The proposal is missing.');
    return proposal;
  });

const changes: Record<Decision, (em: EntityManager, proposalId: string) => Promise<Proposal | undefined>> = {
  ACCEPTED: (em, proposalId) => acceptProposal(em, proposalId, newId()),
  REJECTED: rejectProposal,
};

/**
 * Accepts or rejects a proposal to the channel. Accepting creates the trader. Returns a proposal unchanged that was
 * decided the same way before.
 * @throws DomainError 'not-found', or 'request-refused' after the opposite decision
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
    if (checkDecision(proposal.status, decision) === 'unchanged') return proposal;
    const decided = await changes[decision](em, proposal.id);
    if (!decided) throw new Error('The locked proposal is missing.');
    const action = decision === 'ACCEPTED' ? 'traders.proposal.accepted' : 'traders.proposal.rejected';
    const { id, accountHolderId, traderId } = decided;
    const digest = traderId === null ? {} : { digest: computeIdentityDigest(traderId, decided) };
    const after = { accountHolderId, traderId, ...digest };
    const act = { action, subject: { type: 'trader-onboarding-proposal', id }, after } as const;
    await recordAudit(em, [{ ...act, scopes: [salesChannelId, REGISTRY_SCOPE], actor }]);
    return decided;
  });
