import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, nextCursor, type Schemas } from '../../shared/api/client.ts';
import type { ListPage } from '../../shared/ui/row-source.ts';
import { contractOrder, type Sort } from '../../shared/ui/sorting.ts';

export type Trader = Schemas['Trader'];

/** Traders whose name has a text in it. */
export async function fetchTraders(
  { offset, limit, signal }: { offset: number; limit: number; signal: AbortSignal },
  contains?: string,
  sort?: Sort,
): Promise<ListPage<Trader>> {
  const query = {
    $limit: limit,
    $offset: offset,
    ...(contains === undefined ? {} : { $filter: { name: { contains } } }),
    ...contractOrder(sort),
  };
  const { data, headers } = await answerOf(api.GET('/saleschannel-services/v1/traders', { signal, params: { query } }));
  return { rows: data, hasMore: nextCursor(headers.get('Link')) !== undefined };
}

const OFFERED = 50;

/** Traders to choose from. */
export const useTradersLike = (text: string): UseQueryResult<readonly Trader[]> =>
  useQuery({
    queryKey: ['traders', 'like', text],
    queryFn: async ({ signal }) =>
      (await fetchTraders({ offset: 0, limit: OFFERED, signal }, text === '' ? undefined : text)).rows,
    placeholderData: (before) => before,
  });

/** One trader. @param id undefined: none is asked for */
export const useTrader = (id: string | undefined): UseQueryResult<Trader> =>
  useQuery({
    queryKey: ['trader', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/traders/{traderId}', {
          signal,
          params: { path: { traderId: String(id) } },
        }),
      ),
  });
