import {
  useQueries,
  useQueryClient,
  useInfiniteQuery,
  type QueryFunctionContext,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';

/** One page of a list. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Whether further rows exist. */
  readonly hasMore: boolean;
}

/** Rows of a long list, loaded as they become visible. */
export interface RowSource<T> {
  /** Number of rows, as far as known. */
  readonly count: number;
  /** False if there are more than `count` rows. */
  readonly isCountKnown: boolean;
  /** Undefined while loading. */
  rowAt(index: number): T | undefined;
  /** Reports the visible rows. */
  show(first: number, last: number): void;
  readonly isLoading: boolean;
  readonly error: unknown;
  retry(): void;
}

export interface RowSourceOptions<T> {
  /** Identifies the list, including filters. */
  readonly queryKey: readonly unknown[];
  /** Rows per request. */
  readonly pageSize?: number;
  /** Number of rows, if known. Allows jumping to any row. */
  readonly total?: number | undefined;
  readonly fetchPage: (page: { offset: number; limit: number; signal: AbortSignal }) => Promise<ListPage<T>>;
}

const DEFAULT_PAGE_SIZE = 200;
/** How long pages stay cached for scrolling back. */
const PAGE_CACHE_MS = 120_000;

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Length of the list, exact once its last page is loaded. */
export function countRows(
  pages: readonly { readonly page: number; readonly rows: number; readonly hasMore: boolean }[],
  pageSize: number,
): { readonly count: number; readonly isKnown: boolean } {
  const last = pages.find(({ hasMore }) => !hasMore);
  if (last) return { count: last.page * pageSize + last.rows, isKnown: true };
  const known = Math.max(0, ...pages.map(({ page, rows }) => page * pageSize + rows));
  return { count: known, isKnown: false };
}

/** Pages that contain the rows. */
export function findPagesInRange({ first, last }: Range, pageSize: number): number[] {
  const from = Math.floor(Math.max(0, first) / pageSize);
  const to = Math.floor(Math.max(0, last) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Loads pages by offset as they become visible. */
export function useRowSource<T>(options: RowSourceOptions<T>): RowSource<T> {
  const { queryKey, pageSize = DEFAULT_PAGE_SIZE, total, fetchPage } = options;
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const queries = useQueryClient();
  // Compare keys by value: callers pass new arrays.
  const keyText = JSON.stringify(queryKey);
  const key = useMemo(() => JSON.parse(keyText) as readonly unknown[], [keyText]);
  const visiblePages = findPagesInRange(range, pageSize);
  const results = useQueries({
    queries: visiblePages.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: QueryFunctionContext) => fetchPage({ offset: page * pageSize, limit: pageSize, signal }),
      gcTime: PAGE_CACHE_MS,
    })),
  });
  return useMemo(() => {
    const pageAt = (page: number): ListPage<T> | undefined => queries.getQueryData<ListPage<T>>([...key, page]);
    const known = queries
      .getQueriesData<ListPage<T>>({ queryKey: key })
      .flatMap(([pageKey, data]) =>
        data ? [{ page: Number(pageKey.at(-1)), rows: data.rows.length, hasMore: data.hasMore }] : [],
      );
    const counted = countRows(known, pageSize);
    const failed = results.find(({ error }) => error !== null);
    return {
      count: total ?? counted.count,
      isCountKnown: total !== undefined || counted.isKnown,
      rowAt: (index) => pageAt(Math.floor(index / pageSize))?.rows[index % pageSize],
      show: (first, last) =>
        setRange((before) => (before.first === first && before.last === last ? before : { first, last })),
      isLoading: results.some(({ isPending }) => isPending),
      error: failed?.error,
      retry: () => void failed?.refetch(),
    };
  }, [queries, key, pageSize, total, results]);
}

/** A page of a list that is read by cursor. */
interface CursorPage<T> {
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

interface CursorSourceOptions<T> {
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
