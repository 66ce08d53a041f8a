import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** Values of filters, and what changes them. */
export type FilterState<Name extends string> = readonly [
  values: Readonly<Partial<Record<Name, string>>>,
  set: (name: Name, value: string | undefined) => void,
  /** Removes all but those that are kept. */
  clear: () => void,
];

/**
 * What a list is filtered by stands in the address: it can be sent to others, and gone back to.
 * @param kept filters without which there is no list
 */
export function useFilters<Name extends string>(names: readonly Name[], kept: readonly Name[] = []): FilterState<Name> {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const namesText = names.join();
  const values = useMemo(() => filtersIn(search, namesText.split(',') as Name[]), [search, namesText]);
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

/** The filters of a query string, and nothing else of it. */
export function filtersIn<Name extends string>(
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
