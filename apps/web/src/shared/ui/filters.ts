import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Filter values and setters. */
export type FilterState<Name extends string> = readonly [
  values: Readonly<Partial<Record<Name, string>>>,
  set: (name: Name, value: string | undefined) => void,
  /** Clears all optional filters. */
  clear: () => void,
];

/**
 * Filters of a list, kept in the address so that they can be shared and restored.
 * @param kept filters that the list requires
 */
export function useFilters<Name extends string>(names: readonly Name[], kept: readonly Name[] = []): FilterState<Name> {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const namesText = names.join();
  const values = useMemo(() => parseFilters(search, namesText.split(',') as Name[]), [search, namesText]);
  const go = (next: URLSearchParams): void => navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true });
  const set = (name: Name, value: string | undefined): void => {
    const next = new URLSearchParams(search);
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
    go(next);
  };
  const clear = (): void => {
    const next = new URLSearchParams(search);
    for (const name of names) if (!kept.includes(name)) next.delete(name);
    go(next);
  };
  return [values, set, clear];
}

/** Known filters of a query string. */
export function parseFilters<Name extends string>(
  search: string,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const parameters = new URLSearchParams(search);
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = parameters.get(name);
    if (value !== null && value !== '') values[name] = value;
  }
  return values;
}

/** Sort key and direction of a list. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

/** Parses a sort from the address, `vintage` or `-vintage`. @param known sortable columns */
export function parseSort(value: string | undefined, known: readonly string[]): Sort | undefined {
  const descending = value?.startsWith('-') === true;
  const by = descending ? value?.slice(1) : value;
  return by !== undefined && known.includes(by) ? { by, descending } : undefined;
}

export const formatSort = ({ by, descending }: Sort): string => (descending ? `-${by}` : by);

/** Sort after a click on a column head: ascending, descending, then the default. */
export function toggleSort(current: Sort | undefined, by: string, first: Sort | undefined): Sort | undefined {
  if (current?.by !== by) return { by, descending: false };
  if (!current.descending) return { by, descending: true };
  return first?.by === by ? { by, descending: false } : first;
}

/** Sort of a grid, and the handler of its column heads. */
export interface Sorting {
  readonly current: Sort | undefined;
  toggle(by: string): void;
}

/**
 * Sort of a list, kept in the address like its filters.
 * @param first default sort. Undefined for the API's own order
 */
export function useSorting(known: readonly string[], first?: Sort): Sorting {
  const [{ sort }, setFilter] = useFilters(['sort']);
  const current = parseSort(sort, known) ?? first;
  return {
    current,
    toggle(by) {
      const next = toggleSort(current, by, first);
      const isFirst = next?.by === first?.by && next?.descending === first?.descending;
      setFilter('sort', next === undefined || isFirst ? undefined : formatSort(next));
    },
  };
}

/** Sort in API format. */
export const toApiOrder = (sort: Sort | undefined) =>
  sort && { $orderBy: { [sort.by]: sort.descending ? ('desc' as const) : ('asc' as const) } };
