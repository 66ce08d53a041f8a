import { actorOf } from '@saleschannel/audit';
import type { Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { application } from '../domain/proposal.ts';
import { requireSalesChannel } from '../neighbours/sales-channels.ts';
import { submitProposal as submit } from '../operations/submit-proposal.ts';
import { proposalMessage } from './messages.ts';

export const submitProposal: Rpc<'traderDirectory.SubmitProposal', Context> =
  ({ database, rbac }) =>
  async (request, call) => {
    const submitted = parse(application, request, 'The proposal is not valid.');
    await requireSalesChannel(rbac, submitted.salesChannelId, call);
    const { accountHolderId, salesChannelId } = submitted;
    return answerOnce(
      'traderDirectory.SubmitProposal',
      // What the account holder is called may change between a request and its repeat.
      { database, call, request: { accountHolderId, salesChannelId } },
      (transactional) => submit(transactional, submitted, actorOf(call)),
      proposalMessage,
    );
  };
