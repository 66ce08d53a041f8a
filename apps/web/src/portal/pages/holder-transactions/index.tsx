import { useLocation } from 'wouter';
import type { Schemas } from '../../../shared/api/client.ts';
import { formatMoney, formatNumber } from '../../../shared/format/numbers.ts';
import { shortenId } from '../../../shared/format/serials.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Csv } from '../../../shared/ui/csv.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters, useSorting } from '../../../shared/ui/filters.ts';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import {
  holderTransactionTypes,
  transactionPath,
  TransactionLink,
  typeLabel,
  loadTransactionsCsv,
  useHolderTransactions,
  type HolderTransaction,
} from '../../holder/transactions.tsx';
import { toApiFilter as channelFilter, newestFirst } from '../../transactions/list.ts';
import { TransactionFilters, TransactionStatus } from '../../transactions/transactions.tsx';

const filterNames = ['type', 'status', 'from', 'to'] as const;
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** API filter, as for a sales channel but without a trader. */
const contractFilter = (filters: Filters): Schemas['HolderTransactionFilter'] | undefined =>
  channelFilter(filters) as Schemas['HolderTransactionFilter'] | undefined;

const text = translate({
  title: 'Transactions',
  list: 'Transactions of the account holder',
  type: 'Type',
  status: 'Status',
  created: 'Created, UTC',
  id: 'Transaction',
  channel: 'Sales channel',
  seller: 'Seller',
  buyer: 'Buyer',
  volume: 'Volume, t',
  total: 'Total price',
  open: (id: string) => `Open the transaction ${id}`,
  empty: 'No matching transactions.',
});

const columns: readonly Column<HolderTransaction>[] = [
  {
    name: text.created,
    width: '9rem',
    sort: 'createdAt',
    cell: ({ transactionId, createdAt }) => (
      <TransactionLink id={transactionId} label={`${formatDateTime(createdAt)}: ${text.open(transactionId)}`}>
        {formatDateTime(createdAt)}
      </TransactionLink>
    ),
  },
  { name: text.type, width: '6rem', cell: ({ type }) => typeLabel(type) },
  { name: text.status, width: '5.5rem', cell: ({ status }) => <TransactionStatus status={status} /> },
  { name: text.volume, width: '6rem', align: 'end', cell: ({ totals }) => totals && formatNumber(totals.volume) },
  {
    name: text.total,
    width: '9rem',
    align: 'end',
    cell: ({ totals }) => totals && formatMoney(totals.price, totals.currency),
  },
  {
    name: text.channel,
    width: 'minmax(8rem, 1fr)',
    cell: ({ salesChannelName, salesChannelId }) => salesChannelName ?? salesChannelId,
  },
  { name: text.seller, width: 'minmax(8rem, 1fr)', cell: ({ sellerName, sellerId }) => sellerName ?? sellerId },
  { name: text.buyer, width: 'minmax(8rem, 1fr)', cell: ({ buyerName, buyerId }) => buyerName ?? buyerId },
  { name: text.id, width: '7.5rem', isMono: true, cell: ({ transactionId }) => shortenId(transactionId) },
];

export default function HolderTransactionsPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames);
  const [, navigate] = useLocation();
  const sorting = useSorting(['createdAt'], newestFirst);
  const direction = sorting.current?.descending === false ? 'asc' : 'desc';
  const listOptions = { $filter: contractFilter(filters), direction } as const;
  const source = useHolderTransactions(listOptions);
  return (
    <Page
      title={text.title}
      actions={<Csv label={text.title} name="transactions" load={() => loadTransactionsCsv(listOptions)} />}
    >
      <TransactionFilters types={holderTransactionTypes} wordOf={typeLabel} filters={filters} set={setFilter} />
      <FilteredGrid
        filters={filters}
        sorting={sorting}
        label={text.list}
        columns={columns}
        source={source}
        onOpen={({ transactionId }) => navigate(transactionPath(transactionId))}
        noMatches={text.empty}
        onClear={clearFilters}
      />
    </Page>
  );
}
