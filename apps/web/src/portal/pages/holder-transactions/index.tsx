import { useLocation } from 'wouter';
import { digits } from '../../../shared/format/numbers.ts';
import { dateTime } from '../../../shared/format/time.ts';
import { translated } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { useFilters, type FilterState } from '../../../shared/ui/filters.ts';
import { Choice, Field } from '../../../shared/ui/form.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { Toolbar } from '../../../shared/ui/toolbar.tsx';
import { holderTransactionTypes, pathOf, TransactionLink, typeWord } from '../../holder/status.tsx';
import { loadTransactionsCsv, useHolderTransactions, type HolderTransaction } from '../../holder/transactions.ts';
import { volumeOf } from '../../holder/values.ts';
import { TransactionStatus, transactionStatuses, wordFor } from '../../transactions/transactions.tsx';
import { contractFilter, filterNames, type Filters } from './filter.ts';

const text = translated({
  title: 'Transactions',
  list: 'Transactions of the account holder',
  filters: 'Filters',
  all: 'All',
  type: 'Type',
  status: 'Status',
  from: 'From, UTC',
  to: 'To, UTC',
  created: 'Created, UTC',
  id: 'Transaction',
  channel: 'Sales channel',
  seller: 'Seller',
  buyer: 'Buyer',
  volume: 'Volume, t',
  empty: 'No transaction fits.',
  clear: 'Clear the filters',
});

const columns: readonly Column<HolderTransaction>[] = [
  { key: 'created', name: text.created, width: '9rem', cell: ({ createdAt }) => dateTime(createdAt) },
  { key: 'type', name: text.type, width: '7rem', cell: ({ type }) => typeWord(type) },
  { key: 'status', name: text.status, width: '7rem', cell: ({ status }) => <TransactionStatus status={status} /> },
  { key: 'volume', name: text.volume, width: '7rem', align: 'end', cell: ({ assets }) => digits(volumeOf(assets)) },
  {
    key: 'channel',
    name: text.channel,
    width: 'minmax(8rem, 1fr)',
    cell: ({ salesChannelName, salesChannelId }) => salesChannelName ?? salesChannelId,
  },
  {
    key: 'seller',
    name: text.seller,
    width: 'minmax(9rem, 1fr)',
    cell: ({ sellerName, sellerId }) => sellerName ?? sellerId,
  },
  {
    key: 'buyer',
    name: text.buyer,
    width: 'minmax(9rem, 1fr)',
    cell: ({ buyerName, buyerId }) => buyerName ?? buyerId,
  },
  {
    key: 'id',
    name: text.id,
    width: 'minmax(14rem, 1fr)',
    isMono: true,
    cell: ({ transactionId }) => <TransactionLink id={transactionId} />,
  },
];

type Name = (typeof filterNames)[number];

function TransactionFilters({ filters, set }: { readonly filters: Filters; readonly set: FilterState<Name>[1] }) {
  return (
    <Toolbar label={text.filters}>
      <Choice
        label={text.type}
        value={filters.type ?? 'all'}
        onChange={({ target }) => set('type', target.value === 'all' ? undefined : target.value)}
      >
        <option value="all">{text.all}</option>
        {holderTransactionTypes.map((type) => (
          <option key={type} value={type}>
            {typeWord(type)}
          </option>
        ))}
      </Choice>
      <Choice
        label={text.status}
        value={filters.status ?? 'all'}
        onChange={({ target }) => set('status', target.value === 'all' ? undefined : target.value)}
      >
        <option value="all">{text.all}</option>
        {transactionStatuses.map((status) => (
          <option key={status} value={status}>
            {wordFor(status)}
          </option>
        ))}
      </Choice>
      <Field
        label={text.from}
        type="date"
        defaultValue={filters.from}
        onChange={({ target }) => set('from', target.value)}
      />
      <Field label={text.to} type="date" defaultValue={filters.to} onChange={({ target }) => set('to', target.value)} />
    </Toolbar>
  );
}

export default function HolderTransactionsPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames);
  const [, navigate] = useLocation();
  const wanted = { $filter: contractFilter(filters), direction: 'desc' } as const;
  const source = useHolderTransactions(wanted);
  return (
    <Page
      title={text.title}
      actions={<Csv label={text.title} name="transactions" load={() => loadTransactionsCsv(wanted)} />}
    >
      <TransactionFilters filters={filters} set={setFilter} />
      <Grid
        key={JSON.stringify(filters)}
        label={text.list}
        columns={columns}
        source={source}
        onOpen={({ transactionId }) => navigate(pathOf(transactionId))}
        empty={<Empty action={<Button onClick={clearFilters}>{text.clear}</Button>}>{text.empty}</Empty>}
      />
    </Page>
  );
}
