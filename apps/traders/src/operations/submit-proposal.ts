import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import type { Application, Proposal } from '../domain/proposal.ts';
import * as store from '../store/proposals.ts';

/** Submits an account holder's proposal to a channel, or again after a rejection; one that is pending or accepted is answered as it is. */
export const submitProposal = (database: Database, application: Application): Promise<Proposal> =>
  database.transaction(async (em) => {
    const submitted = await store.submitProposal(em, newId(), application);
    const proposal =
      submitted ?? (await store.findProposalOf(em, application.accountHolderId, application.salesChannelId));
    if (!proposal) throw new Error('a proposal is missing');
    return proposal;
  });
