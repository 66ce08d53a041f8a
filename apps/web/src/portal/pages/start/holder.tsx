import { Link } from 'wouter';
import { digits } from '../../../shared/format/numbers.ts';
import { Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { useHolderProposals, type Proposal } from '../../holder/holder.ts';
import { HoldingTotals } from '../../holder/holding-totals.tsx';
import { TransactionLink, typeWord } from '../../holder/status.tsx';
import { useWaiting, type HolderTransaction } from '../../holder/transactions.ts';
import { ageOf, isOwnDecision, volumeOf } from '../../holder/values.ts';
import { text } from './text.ts';

const SHOWN = 5;

const columns: readonly TableColumn<HolderTransaction>[] = [
  { name: text.age, cell: ({ createdAt }) => ageOf(createdAt, Date.now()) },
  {
    name: text.type,
    cell: ({ transactionId, type }) => <TransactionLink id={transactionId}>{typeWord(type)}</TransactionLink>,
  },
  { name: text.volume, align: 'end', cell: ({ assets }) => digits(volumeOf(assets)) },
  { name: text.channel, cell: ({ salesChannelName, salesChannelId }) => salesChannelName ?? salesChannelId },
  { name: text.buyer, cell: ({ buyerName, buyerId }) => buyerName ?? buyerId },
];

function Decisions({ proposals }: { readonly proposals: readonly Proposal[] }) {
  return (
    <Read of={useWaiting()}>
      {(waiting) => {
        const own = waiting.filter((each) => isOwnDecision(each, proposals));
        if (own.length === 0) return <Empty>{text.noDecisions}</Empty>;
        return (
          <>
            <Table
              label={text.decisions}
              columns={columns}
              rows={own.slice(0, SHOWN)}
              keyOf={({ transactionId }) => transactionId}
            />
            <p>
              <Link href="/holder/approvals">
                {own.length > SHOWN ? text.toAllApprovals(own.length) : text.toApprovals}
              </Link>
            </p>
          </>
        );
      }}
    </Read>
  );
}

/** Nobody can buy what is on no sales channel. */
function NextListing({ proposals }: { readonly proposals: readonly Proposal[] }) {
  if (proposals.some(({ status }) => status !== 'REJECTED')) return null;
  return (
    <section>
      <h2>{text.listings}</h2>
      <Empty action={<Link href="/holder/listings">{text.apply}</Link>}>{text.unlisted}</Empty>
    </section>
  );
}

/** What an account holder has, and what it is asked. */
export function HolderStart() {
  const proposals = useHolderProposals();
  return (
    <>
      <section>
        <h2>{text.decisions}</h2>
        <Read of={proposals}>{(rows) => <Decisions proposals={rows} />}</Read>
      </section>
      <section>
        <h2>{text.holdings}</h2>
        <HoldingTotals filters={{}} empty={<Empty>{text.noHoldings}</Empty>} />
        <p>
          <Link href="/holder">{text.toHoldings}</Link>
        </p>
      </section>
      {proposals.data && <NextListing proposals={proposals.data} />}
    </>
  );
}
