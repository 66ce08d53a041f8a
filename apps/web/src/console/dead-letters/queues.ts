import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { askedBy, dataOf } from '../../shared/api/client.ts';
import { operations, type Schemas } from '../api.ts';

export type Queue = Schemas['Queue'];

const LOOK_MS = 2_000;

export const useQueues = (): UseQueryResult<readonly Queue[]> =>
  useQuery({
    queryKey: ['queues'],
    queryFn: async ({ signal, ...asked }) =>
      (await dataOf(operations.GET('/dead-letters', { signal, headers: askedBy(asked) }))).items,
    refetchInterval: ({ state: { status } }) => (status === 'error' ? false : LOOK_MS),
  });
