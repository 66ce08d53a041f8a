import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, unwrapData } from '../../shared/api/client.ts';
import { formatNumber, formatTonnes } from '../../shared/format/numbers.ts';
import { sumVolumes } from '../../shared/format/serials.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import { Empty, Read } from '../../shared/ui/state.tsx';
import { listedMembers } from './list.ts';
import { TransactionStatus, transactionLabel, type Transaction } from './transactions.tsx';

const text = translate({
  title: 'Latest transactions',
  created: 'Created, UTC',
  type: 'Type',
  volume: 'Volume, t',
  status: 'Status',
  seller: 'Seller or owner',
  buyer: 'Buyer',
  none: 'No transactions yet.',
  toInventory: 'View inventory',
  all: 'View all transactions',
  open: (type: string, volume: string, time: string) => `${type} of ${volume}, ${time}`,
});

const SHOWN = 5;
const POLL_MS = 10_000;

const useLatest = () =>
  useQuery({
    queryKey: ['transactions', 'latest'],
    refetchInterval: POLL_MS,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/transactions', {
          signal,
          headers: { 'X-Portal': 'background' },
          params: { query: { $limit: SHOWN, $orderBy: { createdAt: 'desc' }, $expand: [...listedMembers] } },
        }),
      ),
  });

const sumVolume = ({ assets }: Transaction): bigint => sumVolumes(assets.map(({ volume }) => volume));

const columns: readonly TableColumn<Transaction>[] = [
  {
    name: text.created,
    cell: (each) => (
      <Link
        href={`/channel/transactions/${encodeURIComponent(each.id)}`}
        aria-label={text.open(
          transactionLabel(each.type),
          formatTonnes(sumVolume(each)),
          formatDateTime(each.createdAt),
        )}
      >
        {formatDateTime(each.createdAt)}
      </Link>
    ),
  },
  { name: text.type, cell: ({ type }) => transactionLabel(type) },
  { name: text.status, cell: ({ status }) => <TransactionStatus status={status} /> },
  { name: text.volume, align: 'end', cell: (each) => formatNumber(sumVolume(each)) },
  { name: text.seller, cell: ({ sellerName }) => sellerName },
  { name: text.buyer, cell: ({ buyerName }) => buyerName },
];

/** Latest transactions of the sales channel. */
export function LatestTransactions() {
  return (
    <section>
      <h2>{text.title}</h2>
      <Read of={useLatest()}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty action={<Link href="/channel/inventory">{text.toInventory}</Link>}>{text.none}</Empty>
          ) : (
            <>
              <Table label={text.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
              <p>
                <Link href="/channel/transactions">{text.all}</Link>
              </p>
            </>
          )
        }
      </Read>
    </section>
  );
}
