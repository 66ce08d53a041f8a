import { useQueries, useQueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

/** What one page of a list holds. */
export interface ListPage<T> {
  readonly rows: readonly T[];
  /** Whether there are further ones. */
  readonly hasMore: boolean;
}

/** Rows of a long list, which come when they are looked at. */
export interface RowSource<T> {
  /** How many there are, as far as is known. */
  readonly count: number;
  /** False: there are more than `count`. */
  readonly isCountKnown: boolean;
  /** Undefined while it is on its way. */
  rowAt(index: number): T | undefined;
  /** Tells which rows are looked at. */
  show(first: number, last: number): void;
  readonly isLoading: boolean;
  readonly error: unknown;
  retry(): void;
}

export interface RowSourceOptions<T> {
  /** What the list is: filters among it. */
  readonly queryKey: readonly unknown[];
  /** Rows of one request. */
  readonly pageSize?: number;
  /** How many rows there are, where that is known. Then any row can be jumped to. */
  readonly total?: number | undefined;
  readonly fetchPage: (page: { offset: number; limit: number; signal: AbortSignal }) => Promise<ListPage<T>>;
}

const USUAL_PAGE_SIZE = 200;
/** Pages kept in memory for those who go back. */
const PAGE_KEPT_MS = 120_000;

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Where a list ends, from the pages that are there: its length once the last page is known. */
export function countOfPages(
  pages: readonly { readonly page: number; readonly rows: number; readonly hasMore: boolean }[],
  pageSize: number,
): { readonly count: number; readonly isKnown: boolean } {
  const last = pages.find(({ hasMore }) => !hasMore);
  if (last) return { count: last.page * pageSize + last.rows, isKnown: true };
  const known = Math.max(0, ...pages.map(({ page, rows }) => page * pageSize + rows));
  return { count: known, isKnown: false };
}

/** The pages that a range of rows lies on. */
export function pagesOf({ first, last }: Range, pageSize: number): number[] {
  const from = Math.floor(Math.max(0, first) / pageSize);
  const to = Math.floor(Math.max(0, last) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Pages of a list by their offset, as they are looked at. */
export function useRowSource<T>(options: RowSourceOptions<T>): RowSource<T> {
  const { queryKey, pageSize = USUAL_PAGE_SIZE, total, fetchPage } = options;
  const [range, setRange] = useState<Range>({ first: 0, last: 0 });
  const queries = useQueryClient();
  // A list is what its key says, whichever object says it.
  const keyText = JSON.stringify(queryKey);
  const key = useMemo(() => JSON.parse(keyText) as readonly unknown[], [keyText]);
  const wanted = pagesOf(range, pageSize);
  const results = useQueries({
    queries: wanted.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: QueryFunctionContext) => fetchPage({ offset: page * pageSize, limit: pageSize, signal }),
      gcTime: PAGE_KEPT_MS,
    })),
  });
  return useMemo(() => {
    const pageAt = (page: number): ListPage<T> | undefined => queries.getQueryData<ListPage<T>>([...key, page]);
    const known = queries
      .getQueriesData<ListPage<T>>({ queryKey: key })
      .flatMap(([pageKey, data]) =>
        data ? [{ page: Number(pageKey.at(-1)), rows: data.rows.length, hasMore: data.hasMore }] : [],
      );
    const counted = countOfPages(known, pageSize);
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
