import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, dataOf } from '../../shared/api/client.ts';
import { digits, tonnes } from '../../shared/format/numbers.ts';
import { sum } from '../../shared/format/serials.ts';
import { dateTime } from '../../shared/format/time.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import { Empty, Read } from '../../shared/ui/state.tsx';
import { shownMembers, TransactionStatus, wordFor, type Transaction } from './transactions.tsx';

const text = translated({
  title: 'Latest transactions',
  created: 'Created, UTC',
  type: 'What',
  volume: 'Volume, t',
  status: 'Status',
  seller: 'Seller or owner',
  buyer: 'Buyer',
  none: 'Nothing was traded, retired or offramped yet.',
  toInventory: 'To the inventory',
  all: 'All transactions',
  open: (type: string, volume: string, time: string) => `${type} of ${volume}, ${time}`,
});

const SHOWN = 5;
const AGAIN_MS = 10_000;

const useLatest = () =>
  useQuery({
    queryKey: ['transactions', 'latest'],
    refetchInterval: AGAIN_MS,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/transactions', {
          signal,
          headers: { 'X-Portal': 'background' },
          params: { query: { $limit: SHOWN, $orderBy: { createdAt: 'desc' }, $expand: [...shownMembers] } },
        }),
      ),
  });

const volumeOf = ({ assets }: Transaction): bigint => sum(assets.map(({ volume }) => volume));

const columns: readonly TableColumn<Transaction>[] = [
  {
    name: text.created,
    cell: (each) => (
      <Link
        href={`/channel/transactions/${encodeURIComponent(each.id)}`}
        aria-label={text.open(wordFor(each.type), tonnes(volumeOf(each)), dateTime(each.createdAt))}
      >
        {dateTime(each.createdAt)}
      </Link>
    ),
  },
  { name: text.type, cell: ({ type }) => wordFor(type) },
  { name: text.status, cell: ({ status }) => <TransactionStatus status={status} /> },
  { name: text.volume, align: 'end', cell: (each) => digits(volumeOf(each)) },
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
