import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createActivityHeaders, unwrapData } from '../../../shared/api/client.ts';
import { operations, type Schemas } from '../../api.ts';

const QUEUES_POLL_MS = 2_000;

export const useQueues = (): UseQueryResult<readonly Schemas['Queue'][]> =>
  useQuery({
    queryKey: ['queues'],
    queryFn: async ({ signal, ...asked }) =>
      (await unwrapData(operations.GET('/dead-letters', { signal, headers: createActivityHeaders(asked) }))).items,
    refetchInterval: ({ state: { status } }) => (status === 'error' ? false : QUEUES_POLL_MS),
  });

export type QueueName = Schemas['QueueName'];
/** Identical messages share an id, so the index identifies a message in the list. */
export type Letter = Schemas['DeadLetterSummary'] & { readonly index: number };

export const LETTERS_AT_MOST = 1_000;
const LETTERS_POLL_MS = 2_000;

export const lettersKey = (queue: string): readonly string[] => ['dead-letters', queue];

/** @param count last known number of letters; a change reloads the list */
export const useLetters = (queue: QueueName, count: number | undefined): UseQueryResult<readonly Letter[]> =>
  useQuery({
    queryKey: [...lettersKey(queue), { count }],
    queryFn: async ({ signal }) => {
      const params = { path: { queue }, query: { limit: LETTERS_AT_MOST } };
      const headers = { 'X-Portal': 'background' };
      const { items } = await unwrapData(operations.GET('/dead-letters/{queue}', { signal, headers, params }));
      return items.map((letter, index) => ({ ...letter, index }));
    },
    // A message that fails again between two polls leaves the count unchanged.
    refetchInterval: ({ state: { data, status } }) =>
      status === 'success' && data?.length !== Math.min(count ?? 0, LETTERS_AT_MOST) ? LETTERS_POLL_MS : false,
    placeholderData: keepPreviousData,
  });

export const useLetter = (queue: QueueName, deadLetterId: string): UseQueryResult<Schemas['DeadLetter']> =>
  useQuery({
    queryKey: [...lettersKey(queue), deadLetterId],
    queryFn: ({ signal }) =>
      unwrapData(
        operations.GET('/dead-letters/{queue}/messages/{deadLetterId}', {
          signal,
          params: { path: { queue, deadLetterId } },
        }),
      ),
    // A body may hold confidential data, so it leaves the cache at once.
    gcTime: 0,
  });

/** Indents JSON, and returns other text unchanged. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
