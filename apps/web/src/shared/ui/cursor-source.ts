import { useInfiniteQuery, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RowSource } from './row-source.ts';

/** A page of a list that is read by cursor. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Cursor of the next page. Null for the last page. */
  readonly next: string | null;
}

interface PageRequest {
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
}

export interface CursorSourceOptions<T> {
  /** Identifies the list, including filters. */
  readonly queryKey: QueryKey;
  readonly fetchPage: (request: PageRequest) => Promise<CursorPage<T>>;
  /** Polling interval in milliseconds, or false. */
  readonly getPollMs?: (rows: readonly T[]) => number | false;
}

const flattenPages = <T>(pages: readonly CursorPage<T>[] | undefined): T[] =>
  (pages ?? []).flatMap(({ items }) => items);

/** Loads pages by cursor as the user scrolls to the end. */
export function useCursorSource<T>({ queryKey, fetchPage, getPollMs }: CursorSourceOptions<T>): RowSource<T> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: after, signal, client, queryKey }) => fetchPage({ after, signal, client, queryKey }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state: { data } }) => (data && getPollMs?.(flattenPages(data.pages))) ?? false,
  });
  const { data, error, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    query;
  return useMemo(() => {
    const rows = flattenPages(data?.pages);
    return {
      count: rows.length,
      isCountKnown: data !== undefined && !hasNextPage,
      rowAt: (index) => rows[index],
      show: (_first, last) => {
        const isWanted = last >= rows.length - 1 && hasNextPage;
        // After an error, wait for the user to retry.
        if (isWanted && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
      },
      isLoading: isPending || isFetchingNextPage,
      error: error ?? undefined,
      retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    };
  }, [data, error, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch]);
}
