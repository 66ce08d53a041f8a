import { hash } from 'node:crypto';
import type { TransactionStatusChanged } from '@saleschannel/contracts';
import { requestRefused, type FaultCode } from '@saleschannel/errors';
import type { TakenSelection } from './bundle-book.ts';
import type { Bundle } from './bundle.ts';

export type TransactionType = 'ISSUANCE' | 'ONRAMP' | 'TRADE' | 'RETIREMENT' | 'OFFRAMP';
export type TransactionStatus = 'PENDING' | 'SUCCESS' | 'REJECTED' | 'FAILED';

/** A change of status without a sequence. */
export type StatusChange = Omit<TransactionStatusChanged, 'sequence'>;

/** A transaction to insert. */
export interface NewTransaction {
  readonly id: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly salesChannelId?: string | undefined;
  readonly sellerId?: string | undefined;
  readonly buyerId?: string | undefined;
  /** Owner of the certificates outside of the channel. */
  readonly accountHolderId?: string | undefined;
  readonly currency?: string | undefined;
  readonly retirement?: object | undefined;
  readonly taskId?: string | undefined;
  /** User id. */
  readonly requestedBy?: string | undefined;
  /** The sales channel's own reference and notes. */
  readonly externalReference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Key id. Undefined for a request with an access token. */
  readonly requestedWithKey?: string | undefined;
  /** ISO 8601, whole milliseconds. */
  readonly createdAt: string;
  /** ISO 8601, whole milliseconds. Undefined while PENDING. */
  readonly completedAt?: string | undefined;
  readonly lines: readonly NewLine[];
}

interface NewLine {
  /** Has an id as soon as the book is saved. */
  readonly bundle: Bundle;
  readonly first: bigint;
  readonly last: bigint;
  /** Canonical decimal text. */
  readonly unitPrice?: string | null | undefined;
  /** The bundle that the line was taken from, with its range before the transaction. Undefined for an issuance. */
  readonly source?: { readonly bundle: Bundle; readonly first: bigint; readonly last: bigint };
  /** New bundle with the part of the source before the line. */
  readonly before?: Bundle | undefined;
}

/** Converts a taken selection. A source keeps its last serial when a selection is split off. */
export const toLine = (
  { bundle, source, sourceFirst, before, first, last }: TakenSelection,
  unitPrice?: string | null,
): NewLine => ({
  bundle,
  first,
  last,
  unitPrice,
  source: { bundle: source, first: sourceFirst, last: source.last },
  before,
});

/** The seller's decision on a PENDING transaction. */
export type Decision = 'APPROVED' | 'REJECTED';

const statusAfter = { APPROVED: 'SUCCESS', REJECTED: 'REJECTED' } as const;

const codeOfDecided = {
  SUCCESS: 'already-success',
  REJECTED: 'already-rejected',
  FAILED: 'already-failed',
} as const satisfies Record<Exclude<TransactionStatus, 'PENDING'>, FaultCode>;

/**
 * Tells whether a decision changes a transaction or repeats an earlier one.
 * @throws DomainError 'request-refused' after another decision
 */
export function checkDecision(status: TransactionStatus, decision: Decision): 'changes' | 'repeats' {
  if (status === 'PENDING') return 'changes';
  if (status === statusAfter[decision]) return 'repeats';
  throw requestRefused(`The transaction is already ${status}.`, [
    {
      parameter: 'transactionId',
      detail: `names a transaction that is ${status}`,
      code: codeOfDecided[status],
    },
  ]);
}

/** Final status of a transaction. */
export interface Ending {
  readonly status: Exclude<TransactionStatus, 'PENDING'>;
  /** Null for a success. */
  readonly reason: string | null;
}

/** Final status of a PENDING transaction after the seller's decision. */
export function toEnding(decision: Decision, hasExpired: boolean): Ending {
  if (decision === 'REJECTED') return { status: 'REJECTED', reason: 'The seller rejected the transaction.' };
  if (hasExpired) return { status: 'FAILED', reason: 'The certificates expired before the approval.' };
  return { status: 'SUCCESS', reason: null };
}

const toLineContent = ({ bundle, first, last, unitPrice }: NewLine): readonly unknown[] => [
  bundle.issuance.issuanceId,
  first.toString(),
  last.toString(),
  unitPrice ?? null,
];

/**
 * Returns the SHA-256, in hexadecimal digits, of everything in a transaction that never changes: parties, prices,
 * currency, beneficiary, requester and time of creation. The audit trail keeps it, and the auditor computes it again
 * from the tables. So the form is fixed: a JSON array in this order, absent values null, numbers as decimal text,
 * members of the retirement as pairs sorted by name.
 */
export function computeContentDigest(transaction: NewTransaction): string {
  const { retirement } = transaction;
  const content = [
    transaction.id,
    transaction.type,
    transaction.salesChannelId ?? null,
    transaction.sellerId ?? null,
    transaction.buyerId ?? null,
    transaction.accountHolderId ?? null,
    transaction.currency ?? null,
    transaction.taskId ?? null,
    transaction.requestedBy ?? null,
    transaction.requestedWithKey ?? null,
    transaction.createdAt,
    retirement ? Object.entries(retirement).toSorted(([a], [b]) => (a < b ? -1 : 1)) : null,
    transaction.lines.map(toLineContent),
  ];
  return hash('sha256', JSON.stringify(content));
}
