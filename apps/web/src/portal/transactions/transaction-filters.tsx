import type { ReactNode } from 'react';
import { translated } from '../../shared/i18n/messages.ts';
import { ChooseFilter, DayFilter, Toolbar } from '../../shared/ui/toolbar.tsx';
import { transactionStatuses, wordFor } from './transactions.tsx';

const text = translated({
  filters: 'Filters',
  type: 'Type',
  status: 'Status',
  from: 'From, UTC',
  to: 'To, UTC',
});

type Name = 'type' | 'status' | 'from' | 'to';

interface TransactionFiltersProps<T extends string> {
  /** The types that there are on the list, and their words. */
  readonly types: readonly T[];
  readonly wordOf: (type: T) => string;
  readonly filters: Readonly<Partial<Record<Name, string>>>;
  readonly set: (name: Name, value: string | undefined) => void;
  /** Filters that only this list has. */
  readonly children?: ReactNode;
  /** The same, behind all others. */
  readonly last?: ReactNode;
}

/** What transactions are filtered by, those of a sales channel and those of an account holder. */
export function TransactionFilters<T extends string>(props: TransactionFiltersProps<T>) {
  const { types, wordOf, filters, set, children, last } = props;
  return (
    <Toolbar label={text.filters}>
      <ChooseFilter
        label={text.type}
        options={types.map((type) => [type, wordOf(type)])}
        value={filters.type}
        onChoose={(type) => set('type', type)}
      />
      <ChooseFilter
        label={text.status}
        options={transactionStatuses.map((status) => [status, wordFor(status)])}
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
