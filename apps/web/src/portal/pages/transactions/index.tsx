import { Link, useLocation } from 'wouter';
import { digits } from '../../../shared/format/numbers.ts';
import { shortId, sum } from '../../../shared/format/serials.ts';
import { dateTime } from '../../../shared/format/time.ts';
import { translated } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Choice, Field } from '../../../shared/ui/form.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { Toolbar } from '../../../shared/ui/toolbar.tsx';
import { TraderChoice } from '../../traders/trader-choice.tsx';
import {
  TransactionStatus,
  transactionStatuses,
  transactionTypes,
  wordFor,
  type Transaction,
} from '../../transactions/transactions.tsx';
import { filterNames } from './filter.ts';
import { useTransactions } from './list.ts';

const text = translated({
  title: 'Transactions',
  filters: 'Filters',
  all: 'All',
  type: 'Type',
  status: 'Status',
  party: 'Seller or buyer',
  from: 'From, UTC',
  to: 'To, UTC',
  created: 'Created, UTC',
  id: 'Transaction',
  seller: 'Seller',
  buyer: 'Buyer',
  volume: 'Volume, t',
  empty: 'No transaction fits.',
  clear: 'Clear the filters',
});

const pathOf = (id: string): string => `/channel/transactions/${encodeURIComponent(id)}`;

const columns: readonly Column<Transaction>[] = [
  { key: 'created', name: text.created, width: '9rem', cell: ({ createdAt }) => dateTime(createdAt) },
  { key: 'type', name: text.type, width: '7rem', cell: ({ type }) => wordFor(type) },
  { key: 'status', name: text.status, width: '7rem', cell: ({ status }) => <TransactionStatus status={status} /> },
  {
    key: 'volume',
    name: text.volume,
    width: '7rem',
    align: 'end',
    cell: ({ assets }) => digits(sum(assets.map(({ volume }) => volume))),
  },
  {
    key: 'seller',
    name: text.seller,
    width: 'minmax(9rem, 1fr)',
    isMono: true,
    cell: ({ sellerId }) => shortId(sellerId),
  },
  {
    key: 'buyer',
    name: text.buyer,
    width: 'minmax(9rem, 1fr)',
    isMono: true,
    cell: ({ buyerId }) => (buyerId === null ? null : shortId(buyerId)),
  },
  {
    key: 'id',
    name: text.id,
    width: 'minmax(14rem, 1fr)',
    isMono: true,
    cell: ({ id }) => <Link href={pathOf(id)}>{id}</Link>,
  },
];

export default function TransactionsPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames);
  const [, navigate] = useLocation();
  const source = useTransactions(filters);
  return (
    <Page title={text.title}>
      <Toolbar label={text.filters}>
        <Choice
          label={text.type}
          value={filters.type ?? 'all'}
          onChange={({ target }) => setFilter('type', target.value === 'all' ? undefined : target.value)}
        >
          <option value="all">{text.all}</option>
          {transactionTypes.map((type) => (
            <option key={type} value={type}>
              {wordFor(type)}
            </option>
          ))}
        </Choice>
        <Choice
          label={text.status}
          value={filters.status ?? 'all'}
          onChange={({ target }) => setFilter('status', target.value === 'all' ? undefined : target.value)}
        >
          <option value="all">{text.all}</option>
          {transactionStatuses.map((status) => (
            <option key={status} value={status}>
              {wordFor(status)}
            </option>
          ))}
        </Choice>
        <TraderChoice
          label={text.party}
          traderId={filters.trader}
          onChoose={(traderId) => setFilter('trader', traderId)}
        />
        <Field
          label={text.from}
          type="date"
          defaultValue={filters.from}
          onChange={({ target }) => setFilter('from', target.value)}
        />
        <Field
          label={text.to}
          type="date"
          defaultValue={filters.to}
          onChange={({ target }) => setFilter('to', target.value)}
        />
      </Toolbar>
      <Grid
        key={JSON.stringify(filters)}
        label={text.title}
        columns={columns}
        source={source}
        onOpen={({ id }) => navigate(pathOf(id))}
        empty={<Empty action={<Button onClick={clearFilters}>{text.clear}</Button>}>{text.empty}</Empty>}
      />
    </Page>
  );
}
