import { requestRefused, type FaultCode } from '@saleschannel/errors';
import { id } from '@saleschannel/primitives/validation';
import type { z } from 'zod';
import { address, legalEntity, proposalStreet } from './trader.ts';

export type ProposalStatus = 'PENDING' | 'ACCEPTED' | 'REJECTED';
export type Decision = Exclude<ProposalStatus, 'PENDING'>;

export interface Proposal {
  readonly id: string;
  readonly salesChannelId: string;
  readonly accountHolderId: string;
  readonly name: string;
  readonly businessId: string;
  readonly status: ProposalStatus;
  /** Present once the proposal is accepted. */
  readonly traderId: string | null;
}

/** An account holder's request to become a trader of a channel. */
export const application = legalEntity.extend({
  accountHolderId: id,
  salesChannelId: id,
  address: address.extend({ street: proposalStreet.optional() }),
});

export type Application = z.output<typeof application>;

/** Replaces the trader's id in a rejected proposal. */
export const NOT_ONBOARDED = 'NOT_ONBOARDED';

const refusals: Record<Decision, string> = {
  ACCEPTED: 'The proposal was accepted earlier: its account holder is a trader.',
  REJECTED: 'The proposal was rejected. It can be accepted after the account holder has submitted it again.',
};

const faultCodes = {
  ACCEPTED: 'already-accepted',
  REJECTED: 'already-rejected',
} as const satisfies Record<Decision, FaultCode>;

/**
 * Returns whether a decision changes the proposal or repeats an earlier one.
 * @throws DomainError 'request-refused' after the opposite decision
 */
export function checkDecision(status: ProposalStatus, decision: Decision): 'changes' | 'unchanged' {
  if (status === 'PENDING') return 'changes';
  if (status === decision) return 'unchanged';
  throw requestRefused(refusals[status], [
    {
      parameter: 'traderOnboardingProposalId',
      detail: `names a proposal that is ${status}`,
      code: faultCodes[status],
    },
  ]);
}
