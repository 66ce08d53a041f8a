import type { ReactNode } from 'react';
import type { Schemas } from '../../shared/api/client.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import { SelectFilter, DayFilter, Toolbar } from '../../shared/ui/toolbar.tsx';

const text = translate({
  TRADE: 'Trade',
  RETIREMENT: 'Retirement',
  OFFRAMP: 'Offramp',
  PENDING: 'pending',
  SUCCESS: 'completed',
  REJECTED: 'rejected',
  FAILED: 'failed',
  filters: 'Filters',
  type: 'Type',
  status: 'Status',
  from: 'From, UTC',
  to: 'To, UTC',
});

export type Transaction = Schemas['ListedTransaction'];

export const transactionTypes = ['TRADE', 'RETIREMENT', 'OFFRAMP'] as const;
const transactionStatuses = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED'] as const;

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

type Name = 'type' | 'status' | 'from' | 'to';

interface TransactionFiltersProps<T extends string> {
  /** Types in this list, in display order. */
  readonly types: readonly T[];
  readonly wordOf: (type: T) => string;
  readonly filters: Readonly<Partial<Record<Name, string>>>;
  readonly set: (name: Name, value: string | undefined) => void;
  /** Additional filters of this list. */
  readonly children?: ReactNode;
  /** Additional filters at the end. */
  readonly last?: ReactNode;
}

/** Filters shared by the transactions of sales channels and account holders. */
export function TransactionFilters<T extends string>(props: TransactionFiltersProps<T>) {
  const { types, wordOf, filters, set, children, last } = props;
  return (
    <Toolbar label={text.filters}>
      <SelectFilter
        label={text.type}
        options={types.map((type) => [type, wordOf(type)])}
        value={filters.type}
        onChoose={(type) => set('type', type)}
      />
      <SelectFilter
        label={text.status}
        options={transactionStatuses.map((status) => [status, transactionLabel(status)])}
        value={filters.status}
        onChoose={(status) => set('status', status)}
      />
      {children}
      <DayFilter label={text.from} value={filters.from} onChange={(from) => set('from', from)} />
      <DayFilter label={text.to} value={filters.to} onChange={(to) => set('to', to)} />
      {last}
    </Toolbar>
  );
}
