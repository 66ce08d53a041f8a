import { Link, useLocation } from 'wouter';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Facts, Page, Table, Copy, type TableColumn } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { Toolbar } from '../../../shared/ui/toolbar.tsx';
import { useHolderProposals, type Proposal } from '../../holder/holder.ts';
import { HoldingTotals } from '../../holder/holdings.tsx';
import {
  TransactionLink,
  typeLabel,
  usePendingTransactions,
  type HolderTransaction,
} from '../../holder/transactions.tsx';
import { formatAge, isOwnDecision, sumAssets } from '../../holder/values.ts';
import { isHolder, hasChannelRole, useMe, type Me } from '../../me.ts';
import { TraderChoice, useProposals, useTradersLike, type Trader } from '../../traders/traders.tsx';
import { LatestTransactions } from '../../transactions/latest.tsx';
import { Attention } from '../../transactions/tasks.tsx';
import { WebhookBanners } from '../../webhooks/banner.tsx';

const text = translate({
  title: 'Start',
  nobody: 'You do not belong to a sales channel or an account holder yet.',
  nobodyChannel:
    'To work for a sales channel, open the invitation from one of its role administrators, or give them your user id.',
  nobodyHolder: 'To see the certificates of an account holder, give your user id to the operators of this service.',
  noRoles: (channel: string) =>
    `You work for ${channel} but have no roles there yet. Give your user id to a role administrator, who grants roles.`,
  userId: 'Your user id',
  inventory: 'Inventory',
  trader: 'Trader',
  traders: 'Traders',
  city: 'City',
  country: 'Country',
  toTraders: 'View all traders',
  proposals: 'Proposals',
  proposalsWait: (count: number) =>
    count === 1
      ? '1 account holder wants to become a trader.'
      : `${formatNumber(count)} account holders want to become traders.`,
  toProposals: 'View proposals',
  holdings: 'Holdings',
  noHoldings: 'The account holder has no bundles yet. Bundles appear when the registry issues certificates.',
  toHoldings: 'View all holdings',
  decisions: 'Awaiting your decision',
  noDecisions: 'No transactions await your decision.',
  toApprovals: 'View approvals',
  toAllApprovals: (count: number) => `View all ${formatNumber(count)} approvals`,
  age: 'Waiting',
  type: 'Type',
  channel: 'Sales channel',
  buyer: 'Buyer',
  volume: 'Volume, t',
  listings: 'Listings',
  unlisted: 'No sales channel has accepted you as a trader yet, so your certificates are not on sale.',
  apply: 'Apply to a sales channel',
});

const SHOWN = 5;

const decisionColumns: readonly TableColumn<HolderTransaction>[] = [
  { name: text.age, cell: ({ createdAt }) => formatAge(createdAt, Date.now()) },
  {
    name: text.type,
    cell: ({ transactionId, type }) => <TransactionLink id={transactionId}>{typeLabel(type)}</TransactionLink>,
  },
  { name: text.volume, align: 'end', cell: ({ assets }) => formatNumber(sumAssets(assets)) },
  { name: text.channel, cell: ({ salesChannelName, salesChannelId }) => salesChannelName ?? salesChannelId },
  { name: text.buyer, cell: ({ buyerName, buyerId }) => buyerName ?? buyerId },
];

function Decisions({ proposals }: { readonly proposals: readonly Proposal[] }) {
  return (
    <Read of={usePendingTransactions()}>
      {(waiting) => {
        const own = waiting.filter((each) => isOwnDecision(each, proposals));
        if (own.length === 0) return <Empty>{text.noDecisions}</Empty>;
        return (
          <>
            <Table
              label={text.decisions}
              columns={decisionColumns}
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

/** Certificates that are on no sales channel cannot be sold. */
function NextListing({ proposals }: { readonly proposals: readonly Proposal[] }) {
  if (proposals.some(({ status }) => status !== 'REJECTED')) return null;
  return (
    <section>
      <h2>{text.listings}</h2>
      <Empty action={<Link href="/holder/listings">{text.apply}</Link>}>{text.unlisted}</Empty>
    </section>
  );
}

/** Pending decisions and holdings of an account holder. */
function HolderStart() {
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

const pathOf = (id: string): string => `/channel/inventory?${new URLSearchParams({ trader: id })}`;

const traderColumns: readonly TableColumn<Trader>[] = [
  { name: text.traders, cell: ({ id, name }) => <Link href={pathOf(id)}>{name}</Link> },
  { name: text.city, cell: ({ address }) => address.city },
  { name: text.country, cell: ({ address }) => address.countryName },
];

/** Shortcut to the most frequent task: choose a trader to see its bundles. */
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
      <Table label={text.inventory} columns={traderColumns} rows={traders.slice(0, SHOWN)} keyOf={({ id }) => id} />
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

/** Pending work on a sales channel, according to the user's roles. */
function ChannelStart({ me }: { readonly me: Me }) {
  const mayRead = hasChannelRole(me, 'TRANSACTION_ADMINISTRATOR');
  return (
    <>
      <WebhookBanners />
      {(mayRead || hasChannelRole(me, 'ASSET_OFFRAMPER')) && <Attention />}
      {hasChannelRole(me, 'TRADERONBOARDERPROPOSAL_VIEWER') && <Proposals />}
      {mayRead && <LatestTransactions />}
      {hasChannelRole(me, 'ASSET_VIEWER') && hasChannelRole(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR') && (
        <Inventories />
      )}
    </>
  );
}

/** User id, for a role administrator or operator. */
function UserId({ me }: { readonly me: Me }) {
  const value = (
    <span key="id">
      <code>{me.userId}</code> <Copy value={me.userId} />
    </span>
  );
  return <Facts of={[[text.userId, value]]} />;
}

function NoMembership({ me }: { readonly me: Me }) {
  return (
    <>
      <p>{text.nobody}</p>
      <p>{text.nobodyChannel}</p>
      <p>{text.nobodyHolder}</p>
      <UserId me={me} />
    </>
  );
}

function Start({ me }: { readonly me: Me }) {
  const { salesChannel, roles } = me;
  if (salesChannel === null && !isHolder(me)) return <NoMembership me={me} />;
  return (
    <>
      {isHolder(me) && <HolderStart />}
      {salesChannel && roles.length > 0 && <ChannelStart me={me} />}
      {salesChannel && roles.length === 0 && (
        <>
          <p>{text.noRoles(salesChannel.name)}</p>
          <UserId me={me} />
        </>
      )}
    </>
  );
}

/** Pending work and next steps. */
export default function StartPage() {
  return (
    <Page title={text.title}>
      <Read of={useMe()}>{(me) => <Start me={me} />}</Read>
    </Page>
  );
}
