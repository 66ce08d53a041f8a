import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { translate } from '../../shared/i18n/messages.ts';
import { transactionLabel } from '../transactions/transactions.tsx';
import type { HolderTransaction } from './transactions.ts';

const text = translate({
  ISSUANCE: 'Issuance',
  ONRAMP: 'Onramp',
});

export const holderTransactionTypes = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

/** Label of a transaction type. */
export const typeLabel = (type: HolderTransaction['type']): string =>
  type === 'ISSUANCE' || type === 'ONRAMP' ? text[type] : transactionLabel(type);

export const transactionPath = (id: string): string => `/holder/transactions/${encodeURIComponent(id)}`;

interface TransactionLinkProps {
  readonly id: string;
  /** Accessible label, if the text does not name the target. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function TransactionLink({ id, label, children }: TransactionLinkProps) {
  return (
    <Link href={transactionPath(id)} aria-label={label}>
      {children}
    </Link>
  );
}
