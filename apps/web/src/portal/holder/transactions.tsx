import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { api, asCsv, unwrapData, unwrapPage, type Schemas } from '../../shared/api/client.ts';
import { totalPrice, formatNumber, formatPrice, formatTonnes } from '../../shared/format/numbers.ts';
import { issuanceOf, extractSerial, shortenId } from '../../shared/format/serials.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Table, type TableColumn } from '../../shared/ui/page.tsx';
import { useRowSource, type RowSource } from '../../shared/ui/row-source.ts';
import { transactionLabel } from '../transactions/transactions.tsx';
import { sumAssets } from './values.ts';

const text = translate({
  ISSUANCE: 'Issuance',
  ONRAMP: 'Onramp',
  assets: 'Certificates',
  issuance: 'Issuance',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  unitPrice: 'Unit price',
  total: (volume: string) => `Total ${volume}`,
  totalUnpriced: (volume: string, currency: string) => `Total ${volume}, in ${currency} without a price`,
  totalFor: (volume: string, worth: string) => `Total ${volume} for ${worth}`,
});

export type HolderTransaction = Schemas['HolderTransaction'];
type Filter = Schemas['HolderTransactionFilter'];

interface ListOptions {
  readonly $filter?: Filter | undefined;
  readonly direction: 'asc' | 'desc';
}

const buildQuery = ({ $filter, direction }: ListOptions) => ({
  $orderBy: { createdAt: direction },
  ...($filter && { $filter }),
});

/** Members in CSV in addition to the default members. */
const csvMembers = ['retirement', 'totals'] as const;

export const transactionsKey = ['holder', 'transactions'];

/** Transactions of the account holder that match. */
export const useHolderTransactions = (options: ListOptions): RowSource<HolderTransaction> =>
  useRowSource<HolderTransaction>({
    queryKey: [...transactionsKey, options],
    fetchPage({ offset, limit, signal }) {
      const query = { ...buildQuery(options), $limit: limit, $offset: offset, $expand: ['totals' as const] };
      return unwrapPage(api.GET('/account-portal/transactions', { signal, params: { query } }));
    },
  });

export const loadTransactionsCsv = (options: ListOptions): Promise<Blob> =>
  unwrapData(
    api.GET('/account-portal/transactions', {
      ...asCsv,
      params: { query: { ...buildQuery(options), $expand: [...csvMembers] } },
    }),
  );

const waiting = { $filter: { status: { eq: 'PENDING' } }, direction: 'asc' } as const;
/** Limit of the list. Further transactions appear as these are decided. */
const WAITING_AT_MOST = 100;

/** Transactions awaiting a decision, oldest first. */
export const usePendingTransactions = (): UseQueryResult<HolderTransaction[]> =>
  useQuery({
    queryKey: [...transactionsKey, 'waiting'],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/account-portal/transactions', {
          signal,
          params: { query: { ...buildQuery(waiting), $limit: WAITING_AT_MOST } },
        }),
      ),
  });

export const holderTransactionTypes = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP'] as const;

/** Label of a transaction type. */
export const typeLabel = (type: HolderTransaction['type']): string =>
  type === 'ISSUANCE' || type === 'ONRAMP' ? text[type] : transactionLabel(type);

export const transactionPath = (id: string): string => `/holder/transactions/${encodeURIComponent(id)}`;

interface TransactionLinkProps {
  readonly id: string;
  /** Accessible label, if the text does not name the target. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function TransactionLink({ id, label, children }: TransactionLinkProps) {
  return (
    <Link href={transactionPath(id)} aria-label={label}>
      {children}
    </Link>
  );
}

type Asset = HolderTransaction['assets'][number];

/** @param currency null if there are no prices */
const buildColumns = (currency: string | null): TableColumn<Asset>[] => [
  { name: text.issuance, cell: ({ start }) => <code>{shortenId(issuanceOf(start) ?? start)}</code> },
  { name: text.first, align: 'end', cell: ({ start }) => <code>{extractSerial(start)}</code> },
  { name: text.last, align: 'end', cell: ({ end }) => <code>{extractSerial(end)}</code> },
  { name: text.volume, align: 'end', cell: ({ volume }) => formatNumber(volume) },
  ...(currency === null
    ? []
    : [
        {
          name: text.unitPrice,
          align: 'end' as const,
          cell: ({ unitPrice }: Asset) => (unitPrice === null ? null : formatPrice(unitPrice, currency)),
        },
      ]),
];

/** The API may return a currency without prices, which is shown too. */
function describeTotal(volume: string, assets: readonly Asset[], currency: string | null): string {
  if (currency === null) return text.total(volume);
  const worth = totalPrice(assets, currency);
  return worth === undefined ? text.totalUnpriced(volume, currency) : text.totalFor(volume, worth);
}

/** Certificates of a transaction with prices and totals. */
export function Assets({ transaction: { assets, currency } }: { readonly transaction: HolderTransaction }) {
  const volume = formatTonnes(sumAssets(assets));
  const isPriced = assets.some(({ unitPrice }) => unitPrice !== null);
  return (
    <>
      <Table
        label={text.assets}
        columns={buildColumns(isPriced ? currency : null)}
        rows={assets}
        keyOf={({ start }) => start}
      />
      <p>{describeTotal(volume, assets, currency)}</p>
    </>
  );
}
