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

/** The word for a type of transaction of an account holder. */
export const typeWord = (type: HolderTransaction['type']): string =>
  type === 'ISSUANCE' || type === 'ONRAMP' ? text[type] : wordFor(type);

export const pathOf = (id: string): string => `/holder/transactions/${encodeURIComponent(id)}`;

export function TransactionLink({ id, children }: { readonly id: string; readonly children?: ReactNode }) {
  return <Link href={pathOf(id)}>{children ?? id}</Link>;
}
