import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, toEqualityFilter, unwrapData, type Schemas } from '../../shared/api/client.ts';
import { formatNumber, formatTonnes } from '../../shared/format/numbers.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import { Read } from '../../shared/ui/state.tsx';
import styles from '../portal.module.css';

const text = translate({
  UNLISTED: 'unlisted',
  LISTED: 'listed',
  RESERVED: 'reserved',
  RETIRED: 'retired',
  OFFRAMPED: 'offramped',
  totals: 'Totals',
  inBundles: (count: string) => (count === '1' ? 'in 1 bundle' : `in ${count} bundles`),
});

export const holdingsKey = ['holder', 'holdings'];

export const filterNames = ['state', 'vintage', 'productionFacilityId', 'salesChannelId'] as const;
export type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

export const states = ['UNLISTED', 'LISTED', 'RESERVED', 'RETIRED', 'OFFRAMPED'] as const;
type State = (typeof states)[number];

const isState = (text: string | undefined): text is State => states.some((state) => state === text);

/** Query parameter for operations that list holdings. Unknown states are ignored. */
export function toQuery(filters: Filters): { $filter?: Schemas['HoldingFilter'] } {
  const state = isState(filters.state) ? filters.state : undefined;
  const $filter = toEqualityFilter<Schemas['HoldingFilter']>({ ...filters, state });
  return $filter ? { $filter } : {};
}

/** Totals of the holdings, overall and by facet. */
const useTotals = (filters: Filters): UseQueryResult<Schemas['HoldingSummary']> =>
  useQuery({
    queryKey: [...holdingsKey, 'totals', toQuery(filters)],
    queryFn: ({ signal }) =>
      unwrapData(api.GET('/account-portal/holdings/summary', { signal, params: { query: toQuery(filters) } })),
  });

const tones: Readonly<Partial<Record<State, Tone>>> = { LISTED: 'ok', RESERVED: 'wait' };

export const stateLabel = (state: State): string => text[state];

export const HoldingState = ({ state }: { readonly state: State }) => (
  <Status tone={tones[state]}>{stateLabel(state)}</Status>
);

interface HoldingTotalsProps {
  readonly filters: Filters;
  /** Shown if there are no holdings. */
  readonly empty?: ReactNode;
}

/** Totals of matching holdings, by state in lifecycle order. */
export function HoldingTotals({ filters, empty }: HoldingTotalsProps) {
  return (
    <Read of={useTotals(filters)}>
      {({ bundles: all, facets }) =>
        all === 0 ? (
          empty
        ) : (
          <ul className={styles['totals']} aria-label={text.totals}>
            {states.map((state) => {
              const total = facets.state.find(({ value }) => value === state);
              return (
                total && (
                  <li key={state}>
                    <HoldingState state={state} /> <strong>{formatTonnes(total.volume)}</strong>{' '}
                    {text.inBundles(formatNumber(total.bundles))}
                  </li>
                )
              );
            })}
          </ul>
        )
      }
    </Read>
  );
}
