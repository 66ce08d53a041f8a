import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { translated } from '../../shared/i18n/messages.ts';
import { wordFor } from '../transactions/transactions.tsx';
import type { HolderTransaction } from './transactions.ts';

const text = translated({
  ISSUANCE: 'Issuance',
  ONRAMP: 'Onramp',
});

export const holderTransactionTypes = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

/** Label of a transaction type. */
export const typeWord = (type: HolderTransaction['type']): string =>
  type === 'ISSUANCE' || type === 'ONRAMP' ? text[type] : wordFor(type);

export const pathOf = (id: string): string => `/holder/transactions/${encodeURIComponent(id)}`;

interface TransactionLinkProps {
  readonly id: string;
  /** Accessible label, if the text does not name the target. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function TransactionLink({ id, label, children }: TransactionLinkProps) {
  return (
    <Link href={pathOf(id)} aria-label={label}>
      {children}
    </Link>
  );
}
