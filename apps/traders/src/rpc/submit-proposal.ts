import type { Proposal } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import type { SubmitProposalRequest__Output } from '@saleschannel/contracts/gen/traders/v1/SubmitProposalRequest';
import { DomainError, invalidRequest, requestRefused } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { Application } from '../domain/proposal.ts';
import { addressOf, legalEntityViolations, NAME_LENGTH, textViolations } from '../domain/trader.ts';
import { submitProposal as submit } from '../operations/submit-proposal.ts';
import { proposalMessage } from './proposal-message.ts';

export const submitProposal =
  ({ database, rbac }: Context) =>
  async (request: SubmitProposalRequest__Output, call: Call): Promise<Proposal> => {
    const application = readRequest(request);
    await requireSalesChannel(rbac, application.salesChannelId, call);
    return proposalMessage(await submit(database, application));
  };

/** @throws DomainError 'invalid-request' that points at every fault */
function readRequest({
  accountHolderId,
  salesChannelId,
  name,
  businessId,
  address,
}: SubmitProposalRequest__Output): Application {
  const application: Application = {
    accountHolderId,
    salesChannelId,
    name,
    businessId,
    address: addressOf(address ?? {}),
  };
  const violations = [
    ...textViolations(accountHolderId, '#/accountHolderId', NAME_LENGTH),
    ...textViolations(salesChannelId, '#/salesChannelId', NAME_LENGTH),
    ...legalEntityViolations(application),
  ];
  if (violations.length > 0) throw invalidRequest('The proposal cannot be submitted like this.', violations);
  return application;
}

/** @throws DomainError 'request-refused' for a sales channel that does not exist */
async function requireSalesChannel(rbac: Context['rbac'], salesChannelId: string, call: Call): Promise<void> {
  try {
    await rbac.GetSalesChannel({ salesChannelId }, { within: call });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    const violation = { pointer: '#/salesChannelId', detail: 'names no sales channel', code: 'unknown-sales-channel' };
    throw requestRefused('There is no such sales channel.', [violation]);
  }
}
