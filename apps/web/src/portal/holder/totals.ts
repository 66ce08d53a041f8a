import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../shared/api/client.ts';
import { nextCursor } from '../../shared/api/paging.ts';
import { filtered, holdingsKey, states, type Filters, type State } from './holding-filter.ts';

export interface Total {
  readonly state: State;
  readonly bundles: number;
  readonly volume: bigint;
}

/** How much there is in each state, in the order of a bundle's life. States without any are left out. */
function totalsOf(holdings: readonly Pick<Schemas['Holding'], 'state' | 'volume'>[]): Total[] {
  return states.flatMap((state) => {
    const found = holdings.filter((holding) => holding.state === state);
    const volume = found.reduce((total, holding) => total + BigInt(holding.volume), 0n);
    return found.length === 0 ? [] : [{ state, bundles: found.length, volume }];
  });
}

/** Bundles that are added up: a page at its longest. */
export const ADDED_UP_AT_MOST = 1_000;

/** How much that is by state. Null: they are too many to be added up here. */
export const useTotals = (filters: Filters): UseQueryResult<Total[] | null> =>
  useQuery({
    queryKey: [...holdingsKey, 'totals', filtered(filters)],
    async queryFn({ signal }) {
      const query = { ...filtered(filters), $limit: ADDED_UP_AT_MOST };
      const { data, headers } = await answerOf(api.GET('/account-portal/holdings', { signal, params: { query } }));
      return nextCursor(headers.get('Link')) === undefined ? totalsOf(data) : null;
    },
  });
