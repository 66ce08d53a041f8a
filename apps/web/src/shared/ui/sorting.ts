import { useFilters } from './filters.ts';

/** What a list is sorted by. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

/** Parses a sort of an address, `vintage` or `-vintage`. @param known what the list can be sorted by */
export function parseSort(value: string | undefined, known: readonly string[]): Sort | undefined {
  const descending = value?.startsWith('-') === true;
  const by = descending ? value?.slice(1) : value;
  return by !== undefined && known.includes(by) ? { by, descending } : undefined;
}

export const formatSort = ({ by, descending }: Sort): string => (descending ? `-${by}` : by);

/** The sort after a click on a column head: ascending, descending, then as the list was at first. */
export function nextSort(current: Sort | undefined, by: string, first: Sort | undefined): Sort | undefined {
  if (current?.by !== by) return { by, descending: false };
  if (!current.descending) return { by, descending: true };
  return first?.by === by ? { by, descending: false } : first;
}

/** How a grid is sorted, and what its column heads do. */
export interface Sorting {
  readonly current: Sort | undefined;
  toggle(by: string): void;
}

/**
 * The sort of a list stands in the address, as its filters do.
 * @param first how the list is sorted when the address does not say. Undefined: in an order of its own
 */
export function useSorting(known: readonly string[], first?: Sort): Sorting {
  const [{ sort }, setFilter] = useFilters(['sort']);
  const current = parseSort(sort, known) ?? first;
  return {
    current,
    toggle(by) {
      const next = nextSort(current, by, first);
      const isFirst = next?.by === first?.by && next?.descending === first?.descending;
      setFilter('sort', next === undefined || isFirst ? undefined : formatSort(next));
    },
  };
}

/** As the API takes it. */
export const contractOrder = (sort: Sort | undefined) =>
  sort && { $orderBy: { [sort.by]: sort.descending ? ('desc' as const) : ('asc' as const) } };
