import { notFound } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { idToFind } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { findProposal } from '../store/proposals.ts';
import { proposalMessage } from './messages.ts';

export const findSubmittedProposal: Rpc<'traderDirectory.FindSubmittedProposal', Context> =
  ({ database }) =>
  async ({ proposalId }) => {
    const proposal = await findProposal(database.em(), idToFind(proposalId));
    if (!proposal) throw notFound();
    return proposalMessage(proposal);
  };
