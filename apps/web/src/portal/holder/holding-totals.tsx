import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';
import { digits, tonnes } from '../../shared/format/numbers.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import { Read } from '../../shared/ui/state.tsx';
import { filtered, holdingsKey, states, type Filters, type State } from './holding-filter.ts';
import styles from '../portal.module.css';

/** Totals of the holdings, overall and by facet. */
const useTotals = (filters: Filters): UseQueryResult<Schemas['HoldingSummary']> =>
  useQuery({
    queryKey: [...holdingsKey, 'totals', filtered(filters)],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/account-portal/holdings/summary', { signal, params: { query: filtered(filters) } })),
  });

const text = translated({
  UNLISTED: 'unlisted',
  LISTED: 'listed',
  RESERVED: 'reserved',
  RETIRED: 'retired',
  OFFRAMPED: 'offramped',
  totals: 'Totals',
  inBundles: (count: string) => (count === '1' ? 'in 1 bundle' : `in ${count} bundles`),
});

const tones: Readonly<Partial<Record<State, Tone>>> = { LISTED: 'ok', RESERVED: 'wait' };

export const stateWord = (state: State): string => text[state];

export const HoldingState = ({ state }: { readonly state: State }) => (
  <Status tone={tones[state]}>{stateWord(state)}</Status>
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
                    <HoldingState state={state} /> <strong>{tonnes(total.volume)}</strong>{' '}
                    {text.inBundles(digits(total.bundles))}
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
