import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, unwrapData } from '../../../shared/api/client.ts';
import { formatTonnes } from '../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Read } from '../../../shared/ui/state.tsx';
import { Assets, typeLabel, transactionsKey, type HolderTransaction } from '../../holder/transactions.tsx';
import { sumAssets } from '../../holder/values.ts';
import { describeRetirement } from '../../transactions/retirement.ts';
import { TransactionStatus } from '../../transactions/transactions.tsx';

const text = translate({
  title: (type: string, volume: string) => `${type} of ${volume}`,
  loading: 'Transaction',
  id: 'Transaction',
  status: 'Status',
  channel: 'Sales channel',
  seller: 'Seller',
  buyer: 'Buyer',
  created: 'Created, UTC',
  completed: 'Completed, UTC',
  assets: 'Certificates',
  waits: 'This transaction awaits approval.',
  toApprovals: 'View approvals',
});

const useTransaction = (transactionId: string): UseQueryResult<HolderTransaction> =>
  useQuery({
    queryKey: [...transactionsKey, 'one', transactionId],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/account-portal/transactions/{transactionId}', { signal, params: { path: { transactionId } } }),
      ),
  });

const named = (name: string | null, id: string | null) =>
  id === null ? null : (
    <>
      {name} <code>{id}</code>
    </>
  );

function Transaction({ transaction }: { readonly transaction: HolderTransaction }) {
  const { transactionId, status, retirement } = transaction;
  return (
    <>
      {status === 'PENDING' && (
        <p>
          {text.waits} <Link href="/holder/approvals">{text.toApprovals}</Link>
        </p>
      )}
      <Facts
        of={[
          [text.id, <code key="id">{transactionId}</code>],
          [text.status, <TransactionStatus key="status" status={status} />],
          [text.channel, named(transaction.salesChannelName, transaction.salesChannelId)],
          [text.seller, named(transaction.sellerName, transaction.sellerId)],
          [text.buyer, named(transaction.buyerName, transaction.buyerId)],
          [text.created, formatDateTime(transaction.createdAt)],
          [text.completed, transaction.completedAt === null ? null : formatDateTime(transaction.completedAt)],
        ]}
      />
      {retirement && <Facts of={describeRetirement(retirement)} />}
      <h2>{text.assets}</h2>
      <Assets transaction={transaction} />
    </>
  );
}

export default function HolderTransactionPage({ parameters }: PageProps) {
  const transaction = useTransaction(parameters['id'] ?? 'none');
  const title = transaction.data
    ? text.title(typeLabel(transaction.data.type), formatTonnes(sumAssets(transaction.data.assets)))
    : text.loading;
  return (
    <Page title={title}>
      <Read of={transaction}>{(data) => <Transaction transaction={data} />}</Read>
    </Page>
  );
}
