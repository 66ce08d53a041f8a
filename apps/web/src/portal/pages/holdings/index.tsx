import { useState } from 'react';
import { api, asCsv, unwrapData, unwrapPage, type Schemas } from '../../../shared/api/client.ts';
import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { shortenSerial, sumVolumes } from '../../../shared/format/serials.ts';
import { formatDay } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters, useSorting, toApiOrder, type FilterState, type Sort } from '../../../shared/ui/filters.ts';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { useRowSource, type RowSource } from '../../../shared/ui/row-source.ts';
import { SelectFilter, Summary, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { useChannelNames, useSalesChannels } from '../../holder/holder.ts';
import {
  filterNames,
  states,
  HoldingState,
  HoldingTotals,
  stateLabel,
  toQuery,
  holdingsKey,
  type Filters,
} from '../../holder/holdings.tsx';
import type { HolderTransaction } from '../../holder/transactions.tsx';
import { Listed, Onramp, type Selected } from './onramp.tsx';

const text = translate({
  title: 'Holdings',
  filters: 'Filters',
  state: 'State',
  vintage: 'Vintage',
  facility: 'Facility',
  facilityId: 'Facility id',
  channel: 'Sales channel',
  methodology: 'Methodology',
  issued: 'Issued',
  expires: 'Expires',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  list: 'Bundles of the account holder',
  emptyFiltered: 'No matching bundles.',
  empty: 'The account holder has no bundles yet. Bundles appear when the registry issues certificates.',
  selectBundle: (start: string) => `Select the bundle from ${start}`,
  selected: (count: string, volume: string) => `${count} ${count === '1' ? 'bundle' : 'bundles'}, ${volume}`,
  nothingSelected: 'Select unlisted bundles to list them on a sales channel.',
  unselect: 'Clear selection',
  onramp: 'List on a sales channel',
});

type Holding = Schemas['Holding'];

/** Holdings of the account holder that match. */
const useHoldings = (filters: Filters, sort: Sort | undefined): RowSource<Holding> =>
  useRowSource<Holding>({
    queryKey: [...holdingsKey, 'list', toQuery(filters), sort ?? null],
    fetchPage({ offset, limit, signal }) {
      const query = { ...toQuery(filters), ...toApiOrder(sort), $limit: limit, $offset: offset };
      return unwrapPage(api.GET('/account-portal/holdings', { signal, params: { query } }));
    },
  });

const loadCsv = (filters: Filters): Promise<Blob> =>
  unwrapData(api.GET('/account-portal/holdings', { ...asCsv, params: { query: toQuery(filters) } }));

/** Whether a bundle can be listed: it is on no sales channel. */
const canBeListed = ({ state }: Pick<Holding, 'state'>): boolean => state === 'UNLISTED' || state === 'OFFRAMPED';

/** Selected bundles, which survive changes of the list. */
function useSelected(): Selected {
  const [ranges, setRanges] = useState<ReadonlyMap<string, Selected['ranges'][number]>>(new Map());
  return {
    ranges: [...ranges.values()],
    volume: sumVolumes([...ranges.values()].map(({ volume }) => volume)),
    has: ({ start }) => ranges.has(start),
    toggle({ start, end, volume }) {
      const next = new Map(ranges);
      if (!next.delete(start)) next.set(start, { start, end, volume });
      setRanges(next);
    },
    clear: () => setRanges(new Map()),
  };
}

const sortable = ['issuingDate', 'vintage', 'volume'];

const buildColumns = (nameOf: (channelId: string) => string): readonly Column<Holding>[] => [
  { name: text.state, width: '5.5rem', cell: ({ state }) => <HoldingState state={state} /> },
  {
    name: text.channel,
    width: 'minmax(6rem, 1fr)',
    cell: ({ salesChannelId }) => (salesChannelId === null ? null : nameOf(salesChannelId)),
  },
  {
    name: text.facility,
    width: 'minmax(9rem, 1.5fr)',
    cell: ({ productionFacilityCode, productionFacilityName, countryCode }) => (
      <>
        <span className="mono">{productionFacilityCode}</span> {productionFacilityName}, {countryCode}
      </>
    ),
  },
  { name: text.volume, width: '6rem', align: 'end', sort: 'volume', cell: ({ volume }) => formatNumber(volume) },
  { name: text.vintage, width: '5rem', sort: 'vintage', cell: ({ vintage }) => vintage },
  { name: text.methodology, width: '5rem', cell: ({ methodologyCode }) => methodologyCode },
  { name: text.issued, width: '5.5rem', sort: 'issuingDate', cell: ({ issuingDate }) => formatDay(issuingDate) },
  {
    name: text.expires,
    width: '5rem',
    cell: ({ expirationDate }) => (expirationDate === null ? null : formatDay(expirationDate)),
  },
  { name: text.first, width: '5rem', align: 'end', isMono: true, cell: ({ start }) => shortenSerial(start) },
  { name: text.last, width: '5rem', align: 'end', isMono: true, cell: ({ end }) => shortenSerial(end) },
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
  return (
    <>
      {listed && <Listed transaction={listed} />}
      <FilteredGrid
        filters={filters}
        sorting={sorting}
        label={text.list}
        columns={buildColumns(nameOf)}
        source={source}
        selection={{ ...selected, isOffered: canBeListed, label: ({ start }) => text.selectBundle(start) }}
        empty={text.empty}
        noMatches={text.emptyFiltered}
        onClear={onClear}
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
