import { Link, useLocation } from 'wouter';
import { Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { Toolbar } from '../../../shared/ui/toolbar.tsx';
import { isOfChannel, type Me } from '../../me.ts';
import { TraderChoice } from '../../traders/trader-choice.tsx';
import { useProposals } from '../../traders/proposals.ts';
import { useTradersLike, type Trader } from '../../traders/traders.ts';
import { Attention } from '../../transactions/attention.tsx';
import { LatestTransactions } from '../../transactions/latest.tsx';
import { WebhookBands } from '../../webhooks/band.tsx';
import { text } from './text.ts';

const SHOWN = 5;

const pathOf = (id: string): string => `/channel/inventory?${new URLSearchParams({ trader: id })}`;

const columns: readonly TableColumn<Trader>[] = [
  { name: text.traders, cell: ({ id, name }) => <Link href={pathOf(id)}>{name}</Link> },
  { name: text.city, cell: ({ address }) => address.city },
  { name: text.country, cell: ({ address }) => address.countryName },
];

/** The way to what is done most: a trader, its bundles, a move. */
function Inventories() {
  const [, navigate] = useLocation();
  const { data: traders = [] } = useTradersLike('');
  return (
    <section>
      <h2>{text.inventory}</h2>
      {traders.length > SHOWN && (
        <Toolbar label={text.inventory}>
          <TraderChoice
            label={text.trader}
            traderId={undefined}
            onChoose={(id) => id !== undefined && navigate(pathOf(id))}
          />
        </Toolbar>
      )}
      <Table label={text.inventory} columns={columns} rows={traders.slice(0, SHOWN)} keyOf={({ id }) => id} />
      {traders.length > SHOWN && (
        <p>
          <Link href="/channel/traders">{text.toTraders}</Link>
        </p>
      )}
    </section>
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
      <WebhookBands />
      {(mayRead || isOfChannel(me, 'ASSET_OFFRAMPER')) && <Attention />}
      {isOfChannel(me, 'TRADERONBOARDERPROPOSAL_VIEWER') && <Proposals />}
      {mayRead && <LatestTransactions />}
      {isOfChannel(me, 'ASSET_VIEWER') && isOfChannel(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR') && <Inventories />}
    </>
  );
}
