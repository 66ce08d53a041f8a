import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { submitProposal } from './submit-proposal.ts';

/** What an account holder is called is asked of its owner, who calls. Whose user asks is in their own token. */
export const submitHolderProposal: Rpc<'traderDirectory.SubmitHolderProposal', Context> = (context) => {
  const submit = submitProposal(context);
  return async (request, call) => {
    if (request.accountHolderId !== accountHolderOf(call)) throw notFound();
    return submit(request, call);
  };
};
