import { useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { formatNumber, formatPrice, formatTonnes } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Read } from '../../../shared/ui/state.tsx';
import { useHolderProposals, type Proposal } from '../../holder/holder.ts';
import {
  Assets,
  TransactionLink,
  typeLabel,
  transactionsKey,
  useHolderTransactions,
  type HolderTransaction,
} from '../../holder/transactions.tsx';
import { findLowestPrice, formatAge, formatRanges, isOwnDecision, sumAssets } from '../../holder/values.ts';
import { describeRetirement } from '../../transactions/retirement.ts';
import { Settings } from './settings.tsx';

const text = translate({
  title: 'Approvals',
  list: 'Pending transactions',
  about: 'Sales wait here unless they are approved automatically. The certificates do not move until you decide.',
  nothing: 'No pending transactions.',
  age: 'Waiting',
  type: 'Type',
  channel: 'Sales channel',
  buyer: 'Buyer',
  volume: 'Volume, t',
  price: 'Unit price',
  from: (price: string) => `from ${price}`,
  serials: 'Serials',
  decision: 'Decision',
  others: (seller: string) => `${seller} decides`,
  theSeller: 'The seller',
  approve: 'Approve',
  reject: 'Reject',
  approveOf: (type: string, volume: string) => `Approve the ${type} of ${volume}`,
  rejectOf: (type: string, volume: string) => `Reject the ${type} of ${volume}`,
  buyerIs: (buyer: string) => `to ${buyer}`,
  approveWhy: 'The transaction is carried out immediately. This cannot be undone.',
  rejectWhy:
    'The certificates stay where they are. This cannot be undone: the sales channel would have to request the ' +
    'transaction again.',
  failed:
    'The transaction was approved but failed: some of the certificates have expired in the meantime. Nothing was ' +
    'moved.',
  cancel: 'Cancel',
  close: 'Close',
  details: 'Details',
  transaction: 'Transaction',
});

type Answer = 'approve' | 'reject';

function useDecision(transactionId: string): UseMutationResult<HolderTransaction, Error, Answer> {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (answer: Answer) => {
      const options = { params: { path: { transactionId } } };
      const path = '/account-portal/transactions/{transactionId}';
      return answer === 'approve'
        ? unwrapData(api.POST(`${path}/approve`, options))
        : unwrapData(api.POST(`${path}/reject`, options));
    },
    // Reload after a failure too: another user may have decided meanwhile.
    onSettled: () =>
      Promise.all([transactionsKey, ['holder', 'holdings']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

interface DecisionProps {
  readonly transaction: HolderTransaction;
  readonly answer: Answer;
  onClose(): void;
}

/** Confirms the decision on a pending sale, with all details. */
function Decision({ transaction, answer, onClose }: DecisionProps) {
  const decision = useDecision(transaction.transactionId);
  const [type, volume] = [typeLabel(transaction.type).toLowerCase(), formatTonnes(sumAssets(transaction.assets))];
  const act = answer === 'approve' ? text.approveOf(type, volume) : text.rejectOf(type, volume);
  const hasFailed = decision.data?.status === 'FAILED';
  const close = (done: HolderTransaction): void => {
    if (done.status !== 'FAILED') onClose();
  };
  return (
    <Dialog
      title={act}
      onClose={onClose}
      actions={
        hasFailed ? (
          <Button onClick={onClose}>{text.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button
              look={answer === 'approve' ? 'primary' : 'danger'}
              busy={decision.isPending}
              onClick={() => decision.mutate(answer, { onSuccess: close })}
            >
              {act}
            </Button>
          </>
        )
      }
    >
      {hasFailed && <p role="alert">{text.failed}</p>}
      <Facts
        of={[
          [text.channel, transaction.salesChannelName ?? transaction.salesChannelId],
          [text.buyer, transaction.buyerName ?? transaction.buyerId],
          ...(transaction.retirement ? describeRetirement(transaction.retirement) : []),
        ]}
      />
      <Assets transaction={transaction} />
      <p>{answer === 'approve' ? text.approveWhy : text.rejectWhy}</p>
      {decision.error && <Failure error={decision.error} />}
    </Dialog>
  );
}

type Decide = (transaction: HolderTransaction, answer: Answer) => void;

function Price({ transaction: { assets, currency } }: { readonly transaction: HolderTransaction }) {
  const lowest = findLowestPrice(assets);
  if (lowest === null || currency === null) return null;
  const written = formatPrice(lowest.price, currency);
  return lowest.isOnly ? written : text.from(written);
}

function Buttons({ transaction, decide }: { readonly transaction: HolderTransaction; readonly decide: Decide }) {
  const [type, volume] = [typeLabel(transaction.type).toLowerCase(), formatTonnes(sumAssets(transaction.assets))];
  const to = transaction.buyerName === null ? type : `${type} ${text.buyerIs(transaction.buyerName)}`;
  return (
    <>
      <Button look="quiet" aria-label={text.approveOf(to, volume)} onClick={() => decide(transaction, 'approve')}>
        {text.approve}
      </Button>
      <Button look="quiet" aria-label={text.rejectOf(to, volume)} onClick={() => decide(transaction, 'reject')}>
        {text.reject}
      </Button>
    </>
  );
}

const buildColumns = (
  proposals: readonly Proposal[],
  now: number,
  decide: Decide,
): readonly Column<HolderTransaction>[] => [
  { name: text.age, width: '4.5rem', cell: ({ createdAt }) => formatAge(createdAt, now) },
  {
    name: text.decision,
    width: '9rem',
    cell: (transaction) =>
      isOwnDecision(transaction, proposals) ? (
        <Buttons transaction={transaction} decide={decide} />
      ) : (
        text.others(transaction.sellerName ?? text.theSeller)
      ),
  },
  { name: text.type, width: '5.5rem', cell: ({ type }) => typeLabel(type) },
  {
    name: text.channel,
    width: 'minmax(7rem, 1fr)',
    cell: ({ salesChannelName, salesChannelId }) => salesChannelName ?? salesChannelId,
  },
  { name: text.buyer, width: 'minmax(7rem, 1fr)', cell: ({ buyerName, buyerId }) => buyerName ?? buyerId },
  { name: text.volume, width: '5rem', align: 'end', cell: ({ assets }) => formatNumber(sumAssets(assets)) },
  { name: text.price, width: '7rem', align: 'end', cell: (transaction) => <Price transaction={transaction} /> },
  { name: text.serials, width: '8rem', isMono: true, cell: ({ assets }) => formatRanges(assets) },
  {
    name: text.transaction,
    width: '5rem',
    cell: ({ transactionId }) => <TransactionLink id={transactionId}>{text.details}</TransactionLink>,
  },
];

function Waiting({ proposals }: { readonly proposals: readonly Proposal[] }) {
  const [chosen, setChosen] = useState<{ readonly transaction: HolderTransaction; readonly answer: Answer }>();
  const [now] = useState(() => Date.now());
  const source = useHolderTransactions({ $filter: { status: { eq: 'PENDING' } }, direction: 'asc' });
  return (
    <>
      <Grid
        label={text.list}
        columns={buildColumns(proposals, now, (transaction, answer) => setChosen({ transaction, answer }))}
        source={source}
        empty={<Empty>{text.nothing}</Empty>}
      />
      {chosen && <Decision {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

export default function ApprovalsPage() {
  return (
    <Page title={text.title}>
      <p>{text.about}</p>
      <Read of={useHolderProposals()}>{(proposals) => <Waiting proposals={proposals} />}</Read>
      <Settings />
    </Page>
  );
}
