import { DomainError, requestRefused } from '@saleschannel/errors';
import type { Call, Rpc } from '@saleschannel/grpc';
import { parse } from '@saleschannel/validation';
import type { Context } from '../context.ts';
import { application } from '../domain/proposal.ts';
import { submitProposal as submit } from '../operations/submit-proposal.ts';
import { proposalMessage } from './messages.ts';

export const submitProposal: Rpc<'traderDirectory.SubmitProposal', Context> =
  ({ database, rbac }) =>
  async (request, call) => {
    const submitted = parse(application, request, 'The proposal is not valid.');
    await requireSalesChannel(rbac, submitted.salesChannelId, call);
    return proposalMessage(await submit(database, submitted));
  };

/** @throws DomainError 'request-refused' for a sales channel that does not exist */
async function requireSalesChannel(rbac: Context['rbac'], salesChannelId: string, call: Call): Promise<void> {
  try {
    await rbac.GetSalesChannel({ salesChannelId }, { within: call });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    throw requestRefused('There is no such sales channel.', [
      { pointer: '#/salesChannelId', detail: 'names no sales channel', code: 'unknown-sales-channel' },
    ]);
  }
}
