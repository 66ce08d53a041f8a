import { useState } from 'react';
import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { shortenSerial } from '../../../shared/format/serials.ts';
import { formatDay } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { useFilters, type FilterState } from '../../../shared/ui/filters.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { useSorting } from '../../../shared/ui/sorting.ts';
import { Empty } from '../../../shared/ui/state.tsx';
import { SelectFilter, Summary, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { useChannelNames, useSalesChannels } from '../../holder/holder.ts';
import { filterNames, states, type Filters } from '../../holder/holding-filter.ts';
import { HoldingState, HoldingTotals, stateLabel } from '../../holder/holding-totals.tsx';
import type { HolderTransaction } from '../../holder/transactions.ts';
import { canBeListed, loadCsv, useHoldings, useSelected, type Holding } from './holdings.ts';
import { Listed, Onramp } from './onramp.tsx';
import { text } from './text.ts';

const sortable = ['issuingDate', 'vintage', 'volume'];

const buildColumns = (nameOf: (channelId: string) => string): readonly Column<Holding>[] => [
  { key: 'state', name: text.state, width: '5.5rem', cell: ({ state }) => <HoldingState state={state} /> },
  {
    key: 'channel',
    name: text.channel,
    width: 'minmax(6rem, 1fr)',
    cell: ({ salesChannelId }) => (salesChannelId === null ? null : nameOf(salesChannelId)),
  },
  {
    key: 'facility',
    name: text.facility,
    width: 'minmax(9rem, 1.5fr)',
    cell: ({ productionFacilityCode, productionFacilityName, countryCode }) => (
      <>
        <span className="mono">{productionFacilityCode}</span> {productionFacilityName}, {countryCode}
      </>
    ),
  },
  {
    key: 'volume',
    name: text.volume,
    width: '6rem',
    align: 'end',
    sort: 'volume',
    cell: ({ volume }) => formatNumber(volume),
  },
  { key: 'vintage', name: text.vintage, width: '5rem', sort: 'vintage', cell: ({ vintage }) => vintage },
  { key: 'methodology', name: text.methodology, width: '5rem', cell: ({ methodologyCode }) => methodologyCode },
  {
    key: 'issued',
    name: text.issued,
    width: '5.5rem',
    sort: 'issuingDate',
    cell: ({ issuingDate }) => formatDay(issuingDate),
  },
  {
    key: 'expires',
    name: text.expires,
    width: '5rem',
    cell: ({ expirationDate }) => (expirationDate === null ? null : formatDay(expirationDate)),
  },
  {
    key: 'first',
    name: text.first,
    width: '5rem',
    align: 'end',
    isMono: true,
    cell: ({ start }) => shortenSerial(start),
  },
  { key: 'last', name: text.last, width: '5rem', align: 'end', isMono: true, cell: ({ end }) => shortenSerial(end) },
];

type Name = (typeof filterNames)[number];

function HoldingFilters({ filters, set }: { readonly filters: Filters; readonly set: FilterState<Name>[1] }) {
  const channels = useSalesChannels();
  return (
    <Toolbar label={text.filters}>
      <SelectFilter
        label={text.state}
        options={states.map((state) => [state, stateLabel(state)])}
        value={filters.state}
        onChoose={(state) => set('state', state)}
      />
      <SelectFilter
        label={text.channel}
        options={channels.data?.map(({ id, name }) => [id, name]) ?? []}
        value={filters.salesChannelId}
        onChoose={(id) => set('salesChannelId', id)}
      />
      <TextFilter
        label={text.vintage}
        value={filters.vintage}
        onChange={(value) => set('vintage', value)}
        inputMode="numeric"
        pattern="[1-9]\d{3}"
      />
      <TextFilter
        label={text.facilityId}
        value={filters.productionFacilityId}
        onChange={(value) => set('productionFacilityId', value)}
      />
    </Toolbar>
  );
}

function Holdings({ filters, onClear }: { readonly filters: Filters; onClear(): void }) {
  const nameOf = useChannelNames();
  const sorting = useSorting(sortable);
  const source = useHoldings(filters, sorting.current);
  const selected = useSelected();
  const [isListing, setListing] = useState(false);
  const [listed, setListed] = useState<HolderTransaction>();
  const done = (transaction: HolderTransaction): void => {
    setListing(false);
    setListed(transaction);
    selected.clear();
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      {listed && <Listed transaction={listed} />}
      <Grid
        key={JSON.stringify([filters, sorting.current])}
        sorting={sorting}
        label={text.list}
        columns={buildColumns(nameOf)}
        source={source}
        selection={{ ...selected, isOffered: canBeListed, label: ({ start }) => text.selectBundle(start) }}
        empty={
          isFiltered ? (
            <Empty action={<Button onClick={onClear}>{text.clear}</Button>}>{text.emptyFiltered}</Empty>
          ) : (
            <Empty>{text.empty}</Empty>
          )
        }
      />
      <Summary>
        {selected.ranges.length === 0 ? (
          <span>{text.nothingSelected}</span>
        ) : (
          <>
            <span>{text.selected(formatNumber(selected.ranges.length), formatTonnes(selected.volume))}</span>
            <Button look="primary" onClick={() => setListing(true)}>
              {text.onramp}
            </Button>
            <Button look="quiet" onClick={selected.clear}>
              {text.unselect}
            </Button>
          </>
        )}
      </Summary>
      {isListing && <Onramp selected={selected} onDone={done} onClose={() => setListing(false)} />}
    </>
  );
}

export default function HoldingsPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames);
  return (
    <Page title={text.title} actions={<Csv label={text.title} name="holdings" load={() => loadCsv(filters)} />}>
      <HoldingFilters filters={filters} set={setFilter} />
      <HoldingTotals filters={filters} />
      <Holdings filters={filters} onClear={clearFilters} />
    </Page>
  );
}
