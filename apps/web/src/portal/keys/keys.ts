import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../../shared/api/client.ts';
import { daysBetween } from '../../shared/format/time.ts';

export type Key = Schemas['KeyDetail'];
export type Kind = Key['kind'];

export const keysKey = ['keys'];

/** Own keys of both kinds. */
export const useKeys = (): UseQueryResult<Key[]> =>
  useQuery({ queryKey: keysKey, queryFn: ({ signal }) => unwrapData(api.GET('/account-portal/keys', { signal })) });

/** Keys created with this key, directly or indirectly. */
export function findDescendants({ id }: Pick<Key, 'id'>, keys: readonly Key[]): Key[] {
  const children = keys.filter(({ madeWith }) => madeWith === id);
  return children.flatMap((child) => [child, ...findDescendants(child, keys)]);
}

export const keyName = ({ name, id }: Pick<Key, 'name' | 'id'>): string => name ?? id;

/** Name of the key that created this key, or the creator's id if another user owns it. */
export function creatorName({ madeWith }: Pick<Key, 'madeWith'>, keys: readonly Key[]): string | null {
  const creator = keys.find(({ id }) => id === madeWith);
  return creator ? keyName(creator) : madeWith;
}

/** Remaining days from which an expiring key is announced. */
export const WARN_DAYS = 30;

type Ending = Pick<Key, 'id' | 'kind' | 'name' | 'expiresAt'>;

/** Valid keys that expire soon, soonest first. */
export const findKeysExpiringSoon = <K extends Ending>(keys: readonly K[], now: number): K[] =>
  keys
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now && daysBetween(now, expiresAt) < WARN_DAYS)
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt));
