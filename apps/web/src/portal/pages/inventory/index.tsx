import { api, asCsv, unwrapData } from '../../../shared/api/client.ts';
import { formatNumber, formatTonnes } from '../../../shared/format/numbers.ts';
import { shortenSerial } from '../../../shared/format/serials.ts';
import { formatDay } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Csv } from '../../../shared/ui/csv.tsx';
import { FilteredGrid } from '../../../shared/ui/filtered-grid.tsx';
import { useFilters, useSorting, type FilterState } from '../../../shared/ui/filters.ts';
import { Select } from '../../../shared/ui/form.tsx';
import type { Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Toolbar } from '../../../shared/ui/toolbar.tsx';
import { TraderChoice, useTrader } from '../../traders/traders.tsx';
import { toApiFilter, filterNames, useSelected, type Filters } from '../../transfers/transfers.ts';
import { formatBundles } from '../../transfers/transfers.ts';
import {
  useBundles,
  useFacilityNames,
  useInventorySummary,
  TransferBar,
  type Bundle,
  type InventorySummary,
} from './moves.tsx';

const text = translate({
  title: 'Inventory',
  filters: 'Filters',
  vintage: 'Vintage',
  methodology: 'Methodology',
  facility: 'Facility',
  all: 'All',
  facet: (name: string, volume: string) => `${name}, ${volume}`,
  totals: (count: number, volume: string) => `${formatBundles(count)}, ${volume}`,
  chooseTrader: 'Choose a trader to see its bundles.',
  empty: 'This trader has no matching bundles.',
  issued: 'Issued',
  country: 'Country',
  standard: 'Standard',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  bundles: (name: string) => `Bundles of ${name}`,
  selectBundle: (start: string) => `Select the bundle from ${start}`,
});

interface FacetProps {
  readonly label: string;
  /** Facet values of the unfiltered inventory. */
  readonly values: InventorySummary['facets']['vintage'] | undefined;
  readonly value: string | undefined;
  readonly nameOf?: (value: string) => string;
  onChoose(value: string | undefined): void;
}

/** Filters by an existing value, each shown with its volume. */
function Facet({ label, values = [], value, nameOf = (each) => each, onChoose }: FacetProps) {
  // The address may name a value that no longer occurs.
  const isKnown = value === undefined || values.some((each) => each.value === value);
  return (
    <Select
      label={label}
      value={value ?? 'all'}
      onChange={({ target }) => onChoose(target.value === 'all' ? undefined : target.value)}
    >
      <option value="all">{text.all}</option>
      {!isKnown && <option value={value}>{nameOf(value)}</option>}
      {values.map((each) => (
        <option key={each.value} value={each.value}>
          {text.facet(nameOf(each.value), formatTonnes(each.volume))}
        </option>
      ))}
    </Select>
  );
}

const sortable = ['issuingDate', 'vintage', 'volume'];

const buildColumns = (facilityName: (id: string) => string): readonly Column<Bundle>[] => [
  { name: text.issued, width: '5.5rem', sort: 'issuingDate', cell: ({ issuingDate }) => formatDay(issuingDate) },
  {
    name: text.facility,
    width: 'minmax(9rem, 1fr)',
    cell: ({ productionFacilityId }) => facilityName(productionFacilityId),
  },
  { name: text.vintage, width: '5rem', sort: 'vintage', cell: ({ vintage }) => vintage },
  { name: text.methodology, width: '6.5rem', cell: ({ methodologyCode }) => methodologyCode },
  { name: text.standard, width: '4rem', cell: ({ standard }) => standard },
  { name: text.country, width: '3.5rem', cell: ({ countryCode }) => countryCode },
  { name: text.volume, width: '6rem', align: 'end', sort: 'volume', cell: ({ volume }) => formatNumber(volume) },
  { name: text.first, width: '6rem', align: 'end', isMono: true, cell: ({ start }) => shortenSerial(start) },
  { name: text.last, width: '6rem', align: 'end', isMono: true, cell: ({ end }) => shortenSerial(end) },
];

interface BundlesProps {
  readonly traderId: string;
  readonly filters: Filters;
  /** Number of matching bundles. */
  readonly total: number | undefined;
  onClear(): void;
}

function Bundles({ traderId, filters, total, onClear }: BundlesProps) {
  const sorting = useSorting(sortable);
  const source = useBundles(traderId, filters, sorting.current, total);
  const trader = useTrader(traderId);
  const selected = useSelected(traderId);
  const facilityName = useFacilityNames();
  return (
    <>
      <FilteredGrid
        filters={filters}
        sorting={sorting}
        label={text.bundles(trader.data?.name ?? traderId)}
        columns={buildColumns(facilityName)}
        source={source}
        selection={{ ...selected, label: ({ start }) => text.selectBundle(start) }}
        noMatches={text.empty}
        onClear={onClear}
      />
      <TransferBar traderId={traderId} filters={filters} selected={selected} />
    </>
  );
}

interface InventoryProps {
  readonly traderId: string;
  readonly filters: Filters;
  readonly setFilter: FilterState<(typeof filterNames)[number]>[1];
  onClear(): void;
}

function Inventory({ traderId, filters, setFilter, onClear }: InventoryProps) {
  const unfiltered = useInventorySummary(traderId, {});
  const matching = useInventorySummary(traderId, filters);
  const facilityName = useFacilityNames();
  const facets = unfiltered.data?.facets;
  const total = matching.isPlaceholderData ? undefined : matching.data?.bundles;
  return (
    <>
      <Toolbar label={text.filters}>
        <TraderChoice traderId={traderId} onChoose={(id) => setFilter('trader', id)} />
        <Facet
          label={text.vintage}
          values={facets?.vintage}
          value={filters.vintage}
          onChoose={(value) => setFilter('vintage', value)}
        />
        <Facet
          label={text.methodology}
          values={facets?.methodologyCode}
          value={filters.methodologyCode}
          onChoose={(value) => setFilter('methodologyCode', value)}
        />
        <Facet
          label={text.facility}
          values={facets?.productionFacilityId}
          value={filters.productionFacilityId}
          nameOf={facilityName}
          onChoose={(value) => setFilter('productionFacilityId', value)}
        />
      </Toolbar>
      <p role="status" aria-busy={matching.isFetching}>
        {matching.data && text.totals(matching.data.bundles, formatTonnes(matching.data.volume))}
      </p>
      <Bundles key={traderId} traderId={traderId} filters={filters} total={total} onClear={onClear} />
    </>
  );
}

const loadCsv = (traderId: string, filters: Filters): Promise<Blob> => {
  const $filter = toApiFilter(filters);
  return unwrapData(
    api.GET('/saleschannel-services/v1/traders/{traderId}/inventory', {
      ...asCsv,
      params: { path: { traderId }, query: { ...($filter && { $filter }) } },
    }),
  );
};

export default function InventoryPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames, ['trader']);
  const { trader: traderId } = filters;
  const actions = traderId !== undefined && (
    <Csv label={text.title} name={`inventory-${traderId}`} load={() => loadCsv(traderId, filters)} />
  );
  return (
    <Page title={text.title} actions={actions}>
      {traderId === undefined ? (
        <>
          <p>{text.chooseTrader}</p>
          <TraderChoice traderId={traderId} onChoose={(id) => setFilter('trader', id)} />
        </>
      ) : (
        <Inventory traderId={traderId} filters={filters} setFilter={setFilter} onClear={clearFilters} />
      )}
    </Page>
  );
}
