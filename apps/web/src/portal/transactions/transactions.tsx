import type { Schemas } from '../../shared/api/client.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';

export type Transaction = Schemas['ListedTransaction'];

/** Optional members that lists show. */
export const listedMembers = ['names', 'totals'] as const;

const text = translate({
  TRADE: 'Trade',
  RETIREMENT: 'Retirement',
  OFFRAMP: 'Offramp',
  PENDING: 'pending',
  SUCCESS: 'completed',
  REJECTED: 'rejected',
  FAILED: 'failed',
});

export const transactionTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
export const transactionStatuses = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED'] as const;

const tones: Readonly<Record<Transaction['status'], Tone>> = {
  PENDING: 'wait',
  SUCCESS: 'ok',
  REJECTED: 'bad',
  FAILED: 'bad',
};

/** Label of a type or status. */
export const transactionLabel = (value: Transaction['type'] | Transaction['status']): string => text[value];

export function TransactionStatus({ status }: { readonly status: Transaction['status'] }) {
  return <Status tone={tones[status]}>{transactionLabel(status)}</Status>;
}
