import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../shared/api/client.ts';

/** Who is signed in, as the API knows them. */
export type Me = Schemas['Me'];
export type Role = Schemas['Role'];

export const meKey = ['me'];

const meQuery = {
  queryKey: meKey,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Me> => dataOf(api.GET('/account-portal/me', { signal })),
  staleTime: 60_000,
} as const;

export const useMe = (): UseQueryResult<Me> => useQuery(meQuery);

/** Any of the roles on the own sales channel. None asked for: everybody of a sales channel. */
export const isOfChannel = (me: Me, ...roles: readonly Role[]): boolean =>
  me.salesChannel !== null && (roles.length === 0 || roles.some((role) => me.roles.includes(role)));

export const isHolder = (me: Me): boolean => me.accountHolder !== null;
