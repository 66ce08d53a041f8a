import { hash } from 'node:crypto';
import type { NewLine, NewTransaction } from './transaction.ts';

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
