import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, unwrapData, type Schemas } from '../shared/api/client.ts';
import { translate } from '../shared/i18n/messages.ts';

/** The signed-in user, as known to the API. */
export type Me = Schemas['Me'];
export type Role = Schemas['Role'];

export const meKey = ['me'];

const meQuery = {
  queryKey: meKey,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Me> => unwrapData(api.GET('/account-portal/me', { signal })),
  staleTime: 60_000,
} as const;

export const useMe = (): UseQueryResult<Me> => useQuery(meQuery);

/** Whether the user has any of the roles on their sales channel. With no roles given, membership is enough. */
export const hasChannelRole = (me: Me, ...roles: readonly Role[]): boolean =>
  me.salesChannel !== null && (roles.length === 0 || roles.some((role) => me.roles.includes(role)));

export const isHolder = (me: Me): boolean => me.accountHolder !== null;

/** Short descriptions of roles, in column order of the matrix. */
const words = translate({
  ASSET_VIEWER: 'Inventory',
  TRANSACTION_ADMINISTRATOR: 'Trade, retire',
  ASSET_OFFRAMPER: 'Offramp',
  TRADER_VIEWER: 'Traders',
  TRADER_ADMINISTRATOR: 'Edit traders',
  TRADERONBOARDERPROPOSAL_VIEWER: 'Proposals',
  TRADERONBOARDERPROPOSAL_ACCEPTER: 'Answer proposals',
  PRODUCTIONFACILITY_VIEWER: 'Facilities',
  SUPPLIER_VIEWER: 'Suppliers',
  EVENT_VIEWER: 'Events',
  ROLE_ADMINISTRATOR: 'People, roles',
}) satisfies Readonly<Record<Role, string>>;

export const roles = Object.keys(words) as readonly Role[];

export const roleLabel = (role: Role): string => words[role];

/** Audience of a page: everyone, users of an account holder, or users with any of these roles on a sales channel. */
export type Audience = 'all' | 'holder' | readonly [Role, ...Role[]];

/** Whether a page is useful to the user. The API enforces permissions. */
export function isInAudience(me: Me, audience: Audience): boolean {
  if (audience === 'all') return true;
  return audience === 'holder' ? isHolder(me) : hasChannelRole(me, ...audience);
}
