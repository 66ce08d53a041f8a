import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { formatMoney, formatNumber } from '../../../shared/format/numbers.ts';
import { shortenId } from '../../../shared/format/serials.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Csv } from '../../../shared/ui/csv.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters, useSorting } from '../../../shared/ui/filters.ts';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { TextFilter } from '../../../shared/ui/toolbar.tsx';
import { TraderChoice } from '../../traders/traders.tsx';
import { filterNames, loadTransactionsCsv, newestFirst, useTransactions } from '../../transactions/list.ts';
import { TaskTable, useTasks } from '../../transactions/tasks.tsx';
import {
  TransactionFilters,
  TransactionStatus,
  transactionTypes,
  transactionLabel,
  type Transaction,
} from '../../transactions/transactions.tsx';

const text = translate({
  title: 'Transactions',
  type: 'Type',
  status: 'Status',
  party: 'Seller or buyer',
  reference: 'Your reference',
  created: 'Created, UTC',
  id: 'Transaction',
  seller: 'Seller',
  buyer: 'Buyer',
  volume: 'Volume, t',
  total: 'Total price',
  waiting: 'In progress',
  listed: 'All transactions',
  open: (id: string) => `Open the transaction ${id}`,
  empty: 'No matching transactions.',
});

const pathOf = (id: string): string => `/channel/transactions/${encodeURIComponent(id)}`;

const columns: readonly Column<Transaction>[] = [
  {
    name: text.created,
    width: '9rem',
    sort: 'createdAt',
    cell: ({ id, createdAt }) => (
      <Link href={pathOf(id)} aria-label={`${formatDateTime(createdAt)}: ${text.open(id)}`}>
        {formatDateTime(createdAt)}
      </Link>
    ),
  },
  { name: text.type, width: '6rem', cell: ({ type }) => transactionLabel(type) },
  { name: text.status, width: '5.5rem', cell: ({ status }) => <TransactionStatus status={status} /> },
  { name: text.volume, width: '6rem', align: 'end', cell: ({ totals }) => totals && formatNumber(totals.volume) },
  {
    name: text.total,
    width: '9rem',
    align: 'end',
    cell: ({ totals }) => totals && formatMoney(totals.price, totals.currency),
  },
  { name: text.seller, width: 'minmax(9rem, 1fr)', cell: ({ sellerName }) => sellerName },
  { name: text.buyer, width: 'minmax(9rem, 1fr)', cell: ({ buyerName }) => buyerName },
  { name: text.id, width: '7.5rem', isMono: true, cell: ({ id }) => shortenId(id) },
];

/** Transfers in progress, above the list until they end. */
function Waiting() {
  const { data: tasks } = useTasks('PENDING');
  const queries = useQueryClient();
  const count = tasks?.length;
  // Fewer tasks in progress mean changed transactions.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['transactions'] }), [count, queries]);
  if (tasks === undefined || tasks.length === 0) return null;
  return (
    <section aria-live="polite">
      <h2>{text.waiting}</h2>
      <TaskTable label={text.waiting} tasks={tasks} />
      <h2>{text.listed}</h2>
    </section>
  );
}

export default function TransactionsPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames);
  const [, navigate] = useLocation();
  const sorting = useSorting(['createdAt'], newestFirst);
  const { current: sort } = sorting;
  const source = useTransactions(filters, sort);
  return (
    <Page
      title={text.title}
      actions={<Csv label={text.title} name="transactions" load={() => loadTransactionsCsv(filters, sort)} />}
    >
      <Waiting />
      <TransactionFilters
        types={transactionTypes}
        wordOf={transactionLabel}
        filters={filters}
        set={setFilter}
        last={
          <TextFilter
            label={text.reference}
            value={filters.reference}
            pattern=".{1,100}"
            onChange={(reference) => setFilter('reference', reference)}
          />
        }
      >
        <TraderChoice
          label={text.party}
          traderId={filters.trader}
          onChoose={(traderId) => setFilter('trader', traderId)}
        />
      </TransactionFilters>
      <FilteredGrid
        filters={filters}
        label={text.title}
        sorting={sorting}
        columns={columns}
        source={source}
        onOpen={({ id }) => navigate(pathOf(id))}
        noMatches={text.empty}
        onClear={clearFilters}
      />
    </Page>
  );
}
