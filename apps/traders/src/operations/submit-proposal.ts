import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import type { Application, Proposal } from '../domain/proposal.ts';
import { findProposalOf, submitProposal as submit } from '../store/proposals.ts';

/**
 * Submits an account holder's proposal to a channel, or submits it again after a rejection. One that is pending or
 * accepted is returned as it is.
 */
export const submitProposal = (database: Database, application: Application, actor: Actor): Promise<Proposal> =>
  database.transaction(async (em) => {
    const { accountHolderId, salesChannelId } = application;
    const submitted = await submit(em, newId(), application);
    const proposal = submitted ?? (await findProposalOf(em, accountHolderId, salesChannelId));
    if (submitted) {
      const subject = { type: 'trader-onboarding-proposal', id: submitted.id };
      const act = { action: 'traders.proposal.submitted', subject, after: { accountHolderId } } as const;
      await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE, salesChannelId], actor }]);
    }
    if (!proposal) throw new Error('a proposal is missing');
    return proposal;
  });
