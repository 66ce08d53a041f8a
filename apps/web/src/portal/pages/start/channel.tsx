import { Link, useLocation } from 'wouter';
import { Toolbar } from '../../../shared/ui/toolbar.tsx';
import { isOfChannel, type Me } from '../../me.ts';
import { TraderChoice } from '../../traders/trader-choice.tsx';
import { useProposals } from '../../traders/proposals.ts';
import { Attention } from '../../transactions/attention.tsx';
import { LatestTransactions } from '../../transactions/latest.tsx';
import { text } from './text.ts';

/** The way to what is done most: a trader, its bundles, a move. */
function InventoryOf() {
  const [, navigate] = useLocation();
  return (
    <Toolbar label={text.inventory}>
      <TraderChoice
        label={text.inventory}
        traderId={undefined}
        onChoose={(id) => id !== undefined && navigate(`/channel/inventory?${new URLSearchParams({ trader: id })}`)}
      />
    </Toolbar>
  );
}

function Proposals() {
  const { data = [] } = useProposals();
  if (data.length === 0) return null;
  return (
    <section>
      <h2>{text.proposals}</h2>
      <p>
        {text.proposalsWait(data.length)} <Link href="/channel/traders">{text.toProposals}</Link>
      </p>
    </section>
  );
}

/** What waits on a sales channel, for those who may see it. */
export function ChannelStart({ me }: { readonly me: Me }) {
  const mayRead = isOfChannel(me, 'TRANSACTION_ADMINISTRATOR');
  return (
    <>
      {isOfChannel(me, 'ASSET_VIEWER') && <InventoryOf />}
      {(mayRead || isOfChannel(me, 'ASSET_OFFRAMPER')) && <Attention />}
      {isOfChannel(me, 'TRADERONBOARDERPROPOSAL_VIEWER') && <Proposals />}
      {mayRead && <LatestTransactions />}
    </>
  );
}
