import { digits, tonnes } from '../../../shared/format/numbers.ts';
import { serialOf } from '../../../shared/format/serials.ts';
import { day } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useFilters } from '../../../shared/ui/filters.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { Summary, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { TraderChoice } from '../../traders/trader-choice.tsx';
import { useTrader } from '../../traders/traders.ts';
import { useBundles, type Bundle } from './bundles.ts';
import { filterNames, type Filters } from './filter.ts';
import { useSelected } from './selected.ts';
import { text } from './text.ts';

const columns: readonly Column<Bundle>[] = [
  { key: 'issued', name: text.issued, width: '6rem', cell: ({ issuingDate }) => day(issuingDate) },
  {
    key: 'facility',
    name: text.facility,
    width: 'minmax(8rem, 1fr)',
    isMono: true,
    cell: ({ productionFacilityId }) => productionFacilityId,
  },
  { key: 'vintage', name: text.vintage, width: '4rem', cell: ({ vintage }) => vintage },
  { key: 'methodology', name: text.methodology, width: '8rem', cell: ({ methodologyCode }) => methodologyCode },
  { key: 'standard', name: text.standard, width: '6rem', cell: ({ standard }) => standard },
  { key: 'country', name: text.country, width: '4rem', cell: ({ countryCode }) => countryCode },
  {
    key: 'first',
    name: text.first,
    width: 'minmax(7rem, 1fr)',
    align: 'end',
    isMono: true,
    cell: ({ start }) => serialOf(start),
  },
  {
    key: 'last',
    name: text.last,
    width: 'minmax(7rem, 1fr)',
    align: 'end',
    isMono: true,
    cell: ({ end }) => serialOf(end),
  },
  { key: 'volume', name: text.volume, width: '7rem', align: 'end', cell: ({ volume }) => digits(volume) },
];

interface BundlesProps {
  readonly traderId: string;
  readonly filters: Filters;
  onClear(): void;
}

function Bundles({ traderId, filters, onClear }: BundlesProps) {
  const source = useBundles(traderId, filters);
  const trader = useTrader(traderId);
  const selected = useSelected();
  return (
    <>
      <Grid
        // Another filter is another list, which begins at its top. What is selected stays.
        key={JSON.stringify(filters)}
        label={text.bundles(trader.data?.name ?? traderId)}
        columns={columns}
        source={source}
        selection={{ ...selected, label: ({ start }) => text.selectBundle(start) }}
        empty={<Empty action={<Button onClick={onClear}>{text.clear}</Button>}>{text.empty}</Empty>}
      />
      <Summary>
        <span>
          {selected.count === 0 ? text.nothingSelected : text.selected(digits(selected.count), tonnes(selected.volume))}
        </span>
        {selected.count > 0 && (
          <Button look="quiet" onClick={selected.clear}>
            {text.unselect}
          </Button>
        )}
      </Summary>
    </>
  );
}

export default function InventoryPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames, ['trader']);
  const { trader: traderId } = filters;
  return (
    <Page title={text.title}>
      <Toolbar label={text.filters}>
        <TraderChoice traderId={traderId} onChoose={(id) => setFilter('trader', id)} />
        <TextFilter
          label={text.vintage}
          value={filters.vintage}
          onChange={(value) => setFilter('vintage', value)}
          inputMode="numeric"
          pattern="[1-9]\d{3}"
        />
        <TextFilter
          label={text.methodology}
          value={filters.methodologyCode}
          onChange={(value) => setFilter('methodologyCode', value)}
        />
        <TextFilter
          label={text.facility}
          value={filters.productionFacilityId}
          onChange={(value) => setFilter('productionFacilityId', value)}
        />
      </Toolbar>
      {traderId === undefined ? (
        <Empty>{text.chooseTrader}</Empty>
      ) : (
        <Bundles key={traderId} traderId={traderId} filters={filters} onClear={clearFilters} />
      )}
    </Page>
  );
}
