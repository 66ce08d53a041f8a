import { useState } from 'react';
import { Link } from 'wouter';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/dialog.tsx';
import { useFilters, useSorting } from '../../../shared/ui/filters.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page, Table, type TableColumn } from '../../../shared/ui/page.tsx';
import { useRowSource } from '../../../shared/ui/row-source.ts';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { hasChannelRole, useMe, type Me } from '../../me.ts';
import { fetchTraders, useProposals, type Trader, type Proposal } from '../../traders/traders.tsx';
import { useAnswerProposal } from './trader-changes.ts';
import { CreateTrader, EditTrader } from './trader-form.tsx';

const text = translate({
  title: 'Traders',
  filters: 'Filters',
  nameContains: 'Name contains',
  name: 'Name',
  businessId: 'Business id',
  city: 'City',
  country: 'Country',
  empty: 'No matching traders.',
  create: 'Create trader',
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  inventory: 'Inventory',
  proposals: 'Proposals',
  proposalsAbout: 'Account holders who want to become traders of your sales channel.',
  noProposals: 'No pending proposals.',
  accept: 'Accept',
  acceptOf: (name: string) => `Accept ${name}`,
  reject: 'Reject',
  rejectOf: (name: string) => `Reject ${name}`,
  rejectWhy: 'The account holder can propose again.',
});

type Answer = 'accept' | 'reject';

interface Answered {
  readonly proposal: Proposal;
  readonly answer: Answer;
}

function Answering({ proposal, answer, onClose }: Answered & { onClose(): void }) {
  const answering = useAnswerProposal(proposal.id);
  const isAccept = answer === 'accept';
  const title = isAccept ? text.acceptOf(proposal.name) : text.rejectOf(proposal.name);
  return (
    <ConfirmDialog
      title={title}
      look={isAccept ? 'primary' : 'danger'}
      button={title}
      change={answering}
      onConfirm={() => answering.mutate(answer, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {text.businessId} {proposal.businessId}
      </p>
      {!isAccept && <p>{text.rejectWhy}</p>}
    </ConfirmDialog>
  );
}

const buildProposalColumns = (
  mayAnswer: boolean,
  choose: (proposal: Proposal, answer: Answer) => void,
): TableColumn<Proposal>[] => [
  { name: text.name, cell: ({ name }) => name },
  { name: text.businessId, cell: ({ businessId }) => businessId },
  ...(mayAnswer
    ? [
        {
          name: text.accept,
          cell: (proposal: Proposal) => (
            <Button look="quiet" aria-label={text.acceptOf(proposal.name)} onClick={() => choose(proposal, 'accept')}>
              {text.accept}
            </Button>
          ),
        },
        {
          name: text.reject,
          cell: (proposal: Proposal) => (
            <Button look="quiet" aria-label={text.rejectOf(proposal.name)} onClick={() => choose(proposal, 'reject')}>
              {text.reject}
            </Button>
          ),
        },
      ]
    : []),
];

/** Pending proposals. */
function Proposals({ mayAnswer }: { readonly mayAnswer: boolean }) {
  const proposals = useProposals();
  const [chosen, setChosen] = useState<Answered>();
  return (
    <section>
      <h2>{text.proposals}</h2>
      <p>{text.proposalsAbout}</p>
      <Read of={proposals}>
        {(rows) => (
          <Table
            label={text.proposals}
            columns={buildProposalColumns(mayAnswer, (proposal, answer) => setChosen({ proposal, answer }))}
            rows={rows}
            keyOf={({ id }) => id}
            empty={text.noProposals}
          />
        )}
      </Read>
      {chosen && <Answering {...chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}

const buildColumns = (edit: ((trader: Trader) => void) | undefined): readonly Column<Trader>[] => [
  { name: text.name, width: 'minmax(12rem, 2fr)', sort: 'name', cell: ({ name }) => name },
  { name: text.businessId, width: 'minmax(8rem, 1fr)', cell: ({ businessId }) => businessId },
  { name: text.city, width: 'minmax(6rem, 1fr)', cell: ({ address }) => address.city },
  { name: text.country, width: 'minmax(6rem, 1fr)', cell: ({ address }) => address.countryName },
  {
    name: text.inventory,
    width: '6rem',
    cell: ({ id }) => <Link href={`/channel/inventory?trader=${encodeURIComponent(id)}`}>{text.inventory}</Link>,
  },
  ...(edit
    ? [
        {
          name: text.edit,
          width: '5rem',
          cell: (trader: Trader) => (
            <Button look="quiet" aria-label={text.editTitle(trader.name)} onClick={() => edit(trader)}>
              {text.edit}
            </Button>
          ),
        },
      ]
    : []),
];

function Traders({ mayChange }: { readonly mayChange: boolean }) {
  const [{ name }, setFilter] = useFilters(['name']);
  const [edited, setEdited] = useState<Trader>();
  const sorting = useSorting(['name']);
  const { current: sort } = sorting;
  const source = useRowSource<Trader>({
    queryKey: ['traders', 'list', name ?? null, sort ?? null],
    fetchPage: (page) => fetchTraders(page, name, sort),
  });
  return (
    <>
      <Toolbar label={text.filters}>
        <TextFilter label={text.nameContains} value={name} onChange={(value) => setFilter('name', value)} />
      </Toolbar>
      <Grid
        key={JSON.stringify([name, sort])}
        label={text.title}
        sorting={sorting}
        columns={buildColumns(mayChange ? setEdited : undefined)}
        source={source}
        empty={<Empty>{text.empty}</Empty>}
      />
      {edited && <EditTrader trader={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function Content({ me }: { readonly me: Me }) {
  const mayRead = hasChannelRole(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR');
  return (
    <>
      {mayRead && <Traders mayChange={hasChannelRole(me, 'TRADER_ADMINISTRATOR')} />}
      {hasChannelRole(me, 'TRADERONBOARDERPROPOSAL_VIEWER') && (
        <Proposals mayAnswer={hasChannelRole(me, 'TRADERONBOARDERPROPOSAL_ACCEPTER')} />
      )}
    </>
  );
}

export default function TradersPage() {
  const { data: me } = useMe();
  const [isCreating, setCreating] = useState(false);
  const mayChange = me !== undefined && hasChannelRole(me, 'TRADER_ADMINISTRATOR');
  const create = mayChange && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} actions={create}>
      {me && <Content me={me} />}
      {isCreating && <CreateTrader onClose={() => setCreating(false)} />}
    </Page>
  );
}
