import { requestRefused } from '@saleschannel/errors';
import type { LegalEntity } from './trader.ts';

export type ProposalStatus = 'PENDING' | 'ACCEPTED' | 'REJECTED';
export type Decision = Exclude<ProposalStatus, 'PENDING'>;

export interface Proposal {
  id: string;
  salesChannelId: string;
  accountHolderId: string;
  name: string;
  businessId: string;
  status: ProposalStatus;
  /** Of an accepted one. */
  traderId: string | null;
}

/** Who wants to be a trader of which channel. */
export interface Application extends LegalEntity {
  accountHolderId: string;
  salesChannelId: string;
}

/** Shown instead of a trader's id on a rejected proposal. */
export const NOT_ONBOARDED = 'NOT_ONBOARDED';

const refusals: Record<Decision, string> = {
  ACCEPTED: 'The proposal was accepted already: its account holder is a trader.',
  REJECTED: 'The proposal was rejected: it can be accepted after the account holder has submitted it again.',
};

/**
 * Whether a decision changes a proposal or stands already.
 * @throws DomainError 'request-refused' when the opposite was decided
 */
export function decide(status: ProposalStatus, decision: Decision): 'changes' | 'stands' {
  if (status === 'PENDING') return 'changes';
  if (status === decision) return 'stands';
  throw requestRefused(refusals[status], [
    {
      parameter: 'traderOnboardingProposalId',
      detail: `names a proposal that is ${status}`,
      code: `already-${status.toLowerCase()}`,
    },
  ]);
}
