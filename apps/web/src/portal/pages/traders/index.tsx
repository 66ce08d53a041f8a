import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../shared/ui/button.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { useRowSource } from '../../../shared/ui/row-source.ts';
import { useSorting } from '../../../shared/ui/sorting.ts';
import { Empty } from '../../../shared/ui/state.tsx';
import { TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { hasChannelRole, useMe, type Me } from '../../me.ts';
import { fetchTraders, type Trader } from '../../traders/traders.ts';
import { Proposals } from './proposals.tsx';
import { text } from './text.ts';
import { CreateTrader, EditTrader } from './trader-form.tsx';

const buildColumns = (edit: ((trader: Trader) => void) | undefined): readonly Column<Trader>[] => [
  { key: 'name', name: text.name, width: 'minmax(12rem, 2fr)', sort: 'name', cell: ({ name }) => name },
  { key: 'businessId', name: text.businessId, width: 'minmax(8rem, 1fr)', cell: ({ businessId }) => businessId },
  { key: 'city', name: text.city, width: 'minmax(6rem, 1fr)', cell: ({ address }) => address.city },
  { key: 'country', name: text.country, width: 'minmax(6rem, 1fr)', cell: ({ address }) => address.countryName },
  {
    key: 'inventory',
    name: text.inventory,
    width: '6rem',
    cell: ({ id }) => <Link href={`/channel/inventory?trader=${encodeURIComponent(id)}`}>{text.inventory}</Link>,
  },
  ...(edit
    ? [
        {
          key: 'edit',
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
