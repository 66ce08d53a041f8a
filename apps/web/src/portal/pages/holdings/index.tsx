import { useState } from 'react';
import { useRequestKeys } from '../../../shared/api/idempotency.ts';
import { digits, tonnes } from '../../../shared/format/numbers.ts';
import { serialOf } from '../../../shared/format/serials.ts';
import { day } from '../../../shared/format/time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Csv } from '../../../shared/ui/csv.tsx';
import { useFilters, type FilterState } from '../../../shared/ui/filters.ts';
import { Choice } from '../../../shared/ui/form.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { Status, type Tone } from '../../../shared/ui/status.tsx';
import { Summary, TextFilter, Toolbar } from '../../../shared/ui/toolbar.tsx';
import { useChannelNames, useSalesChannels } from '../../holder/holder.ts';
import type { HolderTransaction } from '../../holder/transactions.ts';
import { filterNames, states, type Filters, type State } from './filter.ts';
import { canBeListed, loadCsv, useHoldings, useTotals, type Holding } from './holdings.ts';
import { Listed, Onramp } from './onramp.tsx';
import { useSelected } from './selected.ts';
import styles from './holdings.module.css';
import { text } from './text.ts';

const tones: Readonly<Partial<Record<State, Tone>>> = { LISTED: 'ok', RESERVED: 'wait' };

const StateWord = ({ state }: { readonly state: State }) => <Status tone={tones[state]}>{text[state]}</Status>;

const columnsFor = (nameOf: (channelId: string) => string): readonly Column<Holding>[] => [
  { key: 'state', name: text.state, width: '6.5rem', cell: ({ state }) => <StateWord state={state} /> },
  {
    key: 'channel',
    name: text.channel,
    width: 'minmax(8rem, 1fr)',
    cell: ({ salesChannelId }) => (salesChannelId === null ? null : nameOf(salesChannelId)),
  },
  {
    key: 'facility',
    name: text.facility,
    width: 'minmax(10rem, 1.5fr)',
    cell: ({ productionFacilityCode, productionFacilityName }) => (
      <>
        <span className="mono">{productionFacilityCode}</span> {productionFacilityName}
      </>
    ),
  },
  { key: 'volume', name: text.volume, width: '6rem', align: 'end', cell: ({ volume }) => digits(volume) },
  { key: 'vintage', name: text.vintage, width: '4rem', cell: ({ vintage }) => vintage },
  { key: 'methodology', name: text.methodology, width: '8rem', cell: ({ methodologyCode }) => methodologyCode },
  { key: 'country', name: text.country, width: '4rem', cell: ({ countryCode }) => countryCode },
  { key: 'issued', name: text.issued, width: '6rem', cell: ({ issuingDate }) => day(issuingDate) },
  {
    key: 'expires',
    name: text.expires,
    width: '6rem',
    cell: ({ expirationDate }) => (expirationDate === null ? null : day(expirationDate)),
  },
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
];

type Name = (typeof filterNames)[number];

function HoldingFilters({ filters, set }: { readonly filters: Filters; readonly set: FilterState<Name>[1] }) {
  const channels = useSalesChannels();
  return (
    <Toolbar label={text.filters}>
      <Choice
        label={text.state}
        value={filters.state ?? 'all'}
        onChange={({ target }) => set('state', target.value === 'all' ? undefined : target.value)}
      >
        <option value="all">{text.all}</option>
        {states.map((state) => (
          <option key={state} value={state}>
            {text[state]}
          </option>
        ))}
      </Choice>
      <Choice
        label={text.channel}
        value={filters.salesChannelId ?? 'all'}
        onChange={({ target }) => set('salesChannelId', target.value === 'all' ? undefined : target.value)}
      >
        <option value="all">{text.all}</option>
        {channels.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
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

/** In the order of a bundle's life. */
function Totals({ filters }: { readonly filters: Filters }) {
  return (
    <Read of={useTotals(filters)}>
      {({ facets }) => (
        <ul className={styles['totals']} aria-label={text.totals}>
          {states.map((state) => {
            const total = facets.state.find(({ value }) => value === state);
            return (
              total && (
                <li key={state}>
                  <StateWord state={state} /> <strong>{tonnes(total.volume)}</strong>{' '}
                  {text.inBundles(digits(total.bundles))}
                </li>
              )
            );
          })}
        </ul>
      )}
    </Read>
  );
}

function Holdings({ filters, onClear }: { readonly filters: Filters; onClear(): void }) {
  const nameOf = useChannelNames();
  const source = useHoldings(filters);
  const selected = useSelected();
  const keys = useRequestKeys();
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
        key={JSON.stringify(filters)}
        label={text.list}
        columns={columnsFor(nameOf)}
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
            <span>{text.selected(digits(selected.ranges.length), tonnes(selected.volume))}</span>
            <Button look="primary" onClick={() => setListing(true)}>
              {text.onramp}
            </Button>
            <Button look="quiet" onClick={selected.clear}>
              {text.unselect}
            </Button>
          </>
        )}
      </Summary>
      {isListing && <Onramp selected={selected} keys={keys} onDone={done} onClose={() => setListing(false)} />}
    </>
  );
}

export default function HoldingsPage() {
  const [filters, setFilter, clearFilters] = useFilters(filterNames);
  return (
    <Page title={text.title} actions={<Csv label={text.title} name="holdings" load={() => loadCsv(filters)} />}>
      <HoldingFilters filters={filters} set={setFilter} />
      <Totals filters={filters} />
      <Holdings filters={filters} onClear={clearFilters} />
    </Page>
  );
}
