import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { requestRefused, type FaultCode } from '@saleschannel/errors';
import type { Taken } from './bundle-book.ts';
import type { Bundle } from './bundle.ts';

export type TransactionType = 'ISSUANCE' | 'ONRAMP' | 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
export type TransactionStatus = 'PENDING' | 'SUCCESS' | 'REJECTED' | 'FAILED';

/** A change of status that has no place in the order of its channel yet. */
export type StatusChange = Omit<TransactionStatusChanged, 'sequence'>;

/** A transaction that is not stored yet. */
export interface NewTransaction {
  readonly id: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly salesChannelId?: string | undefined;
  readonly sellerId?: string | undefined;
  readonly buyerId?: string | undefined;
  /** Whose certificates they are outside of the channel. */
  readonly accountHolderId?: string | undefined;
  readonly currency?: string | undefined;
  readonly retirement?: object | undefined;
  readonly taskId?: string | undefined;
  /** The user who asked for it. */
  readonly requestedBy?: string | undefined;
  /** What the sales channel calls it, and what else it notes of it. */
  readonly externalReference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The key that they showed. Undefined for an access token. */
  readonly requestedWithKey?: string | undefined;
  /** ISO 8601, whole milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, whole milliseconds. Undefined while it is PENDING. */
  readonly completedAt?: string | undefined;
  readonly lines: readonly NewLine[];
}

export interface NewLine {
  /** Known by its id once the book is saved. */
  readonly bundle: Bundle;
  readonly first: bigint;
  readonly last: bigint;
  readonly unitPrice?: string | undefined;
  /** The bundle that it was part of, with the range that one had. Undefined for an issuance. */
  readonly source?: { readonly bundle: Bundle; readonly first: bigint; readonly last: bigint };
  /** The bundle that became of what lay before it in the source. */
  readonly before?: Bundle | undefined;
}

/** The line of a selection that was taken. The source still ends where it did. */
export const lineOf = ({ bundle, source, sourceFirst, before, first, last }: Taken, unitPrice?: string): NewLine => ({
  bundle,
  first,
  last,
  unitPrice,
  source: { bundle: source, first: sourceFirst, last: source.last },
  before,
});

/** What the seller says of a transaction that waits for them. */
export type Decision = 'APPROVED' | 'REJECTED';

const statusAfter = { APPROVED: 'SUCCESS', REJECTED: 'REJECTED' } as const;

const codeOfDecided = {
  SUCCESS: 'already-success',
  REJECTED: 'already-rejected',
  FAILED: 'already-failed',
} as const satisfies Record<Exclude<TransactionStatus, 'PENDING'>, FaultCode>;

/**
 * Whether a decision changes a transaction or stands already.
 * @throws DomainError 'request-refused' when it was decided the other way
 */
export function decide(status: TransactionStatus, decision: Decision): 'changes' | 'stands' {
  if (status === 'PENDING') return 'changes';
  if (status === statusAfter[decision]) return 'stands';
  throw requestRefused(`The transaction is ${status} already.`, [
    {
      parameter: 'transactionId',
      detail: `names a transaction that is ${status}`,
      code: codeOfDecided[status],
    },
  ]);
}

/** How a transaction ends. */
export interface Ending {
  readonly status: Exclude<TransactionStatus, 'PENDING'>;
  /** Why it did not succeed. */
  readonly reason: string | null;
}

/** How a PENDING transaction ends by the seller's decision. */
export function endingOf(decision: Decision, hasExpired: boolean): Ending {
  if (decision === 'REJECTED') return { status: 'REJECTED', reason: 'The seller rejected the transaction.' };
  if (hasExpired) return { status: 'FAILED', reason: 'The certificates expired before the approval.' };
  return { status: 'SUCCESS', reason: null };
}
