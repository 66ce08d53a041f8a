import { useQuery } from '@tanstack/react-query';
import { shortId } from '../../shared/format/serials.ts';
import { isOfChannel, useMe } from '../me.ts';
import { fetchTraders } from './traders.ts';

/** Sales channels have few traders. Those beyond are shown by their id. */
const NAMED_AT_MOST = 1_000;

/** The names of traders, for those who may read them, and short ids for others. Until it is known which: nothing. */
export function useTraderNames(): (traderId: string) => string {
  const { data: me } = useMe();
  const { data, isLoading } = useQuery({
    queryKey: ['traders', 'names'],
    enabled: me !== undefined && isOfChannel(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR'),
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const { rows } = await fetchTraders({ offset: 0, limit: NAMED_AT_MOST, signal });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  });
  const isKnown = me !== undefined && !isLoading;
  return (traderId) => (isKnown ? (data?.get(traderId) ?? shortId(traderId)) : String());
}
