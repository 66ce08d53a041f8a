import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';

export type ListedTask = Schemas['ListedTask'];

const SHOWN = 20;
const AGAIN_MS = 5_000;

/** Tasks of one status, the youngest first, read again and again while somebody looks. */
export const useTasks = (
  status: ListedTask['status'],
  /** The first day, of those that were begun. */
  since?: string,
): UseQueryResult<readonly ListedTask[]> =>
  useQuery({
    queryKey: ['tasks', status, since ?? null],
    refetchInterval: AGAIN_MS,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/saleschannel-services/v1/tasks', {
          signal,
          headers: { 'X-Portal': 'background' },
          params: {
            query: {
              $filter: {
                status: { eq: status },
                ...(since !== undefined && { createdAt: { gte: `${since}T00:00:00Z` } }),
              },
              $limit: SHOWN,
            },
          },
        }),
      ),
  });
