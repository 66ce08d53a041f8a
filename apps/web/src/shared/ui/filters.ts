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
