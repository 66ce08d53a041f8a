import { useFilters } from './filters.ts';

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
