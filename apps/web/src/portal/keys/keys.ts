import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../shared/api/client.ts';
import { daysBetween } from '../../shared/format/time.ts';

export type Key = Schemas['KeyDetail'];
export type Kind = Key['kind'];

export const keysKey = ['keys'];

/** The keys of both kinds, with what is known of them. */
export const useKeys = (): UseQueryResult<Key[]> =>
  useQuery({ queryKey: keysKey, queryFn: ({ signal }) => dataOf(api.GET('/account-portal/keys', { signal })) });

/** Keys made with this one, and those made with these. */
export function descendantsOf({ id }: Pick<Key, 'id'>, keys: readonly Key[]): Key[] {
  const children = keys.filter(({ madeWith }) => madeWith === id);
  return children.flatMap((child) => [child, ...descendantsOf(child, keys)]);
}

export const calledAs = ({ name, id }: Pick<Key, 'name' | 'id'>): string => name ?? id;

/** Name of the key that this one was made with, or its id when it belongs to somebody else. */
export function makerOf({ madeWith }: Pick<Key, 'madeWith'>, keys: readonly Key[]): string | null {
  const maker = keys.find(({ id }) => id === madeWith);
  return maker ? calledAs(maker) : madeWith;
}

/** From then on it is said that a key ends. */
export const WARN_DAYS = 30;

type Ending = Pick<Key, 'id' | 'kind' | 'name' | 'expiresAt'>;

/** Keys that end soon, the next one first. Those that have ended already trouble nobody any more. */
export const endingSoon = <K extends Ending>(keys: readonly K[], now: number): K[] =>
  keys
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now && daysBetween(now, expiresAt) < WARN_DAYS)
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt));
