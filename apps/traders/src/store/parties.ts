import { query, recordset, sql, type EntityManager } from '@saleschannel/database';

export interface PartyKey {
  readonly salesChannelId: string;
  readonly traderId: string;
}

export interface OnboardingKey {
  readonly salesChannelId: string;
  readonly accountHolderId: string;
}

/** A trader as other services know it. */
export interface PartyRow extends PartyKey {
  readonly accountHolderId: string | null;
}

const partyColumns = sql`
  trader.sales_channel_id as "salesChannelId", trader.id as "traderId", trader.account_holder_id as "accountHolderId"`;

/** Those of the keys that are traders of their channels. One statement, one index look-up for each. */
export async function findParties(em: EntityManager, keys: readonly PartyKey[]): Promise<PartyRow[]> {
  if (keys.length === 0) return [];
  const wanted = recordset('wanted', { salesChannelId: 'text', traderId: 'text' }, keys);
  return query(
    em,
    sql`select ${partyColumns} from ${wanted}
        join trader on trader.id = wanted."traderId" and trader.sales_channel_id = wanted."salesChannelId"`,
  );
}

/** The accepted traders of those of the account holders that have one. */
export async function findOnboarded(em: EntityManager, keys: readonly OnboardingKey[]): Promise<PartyRow[]> {
  if (keys.length === 0) return [];
  const wanted = recordset('wanted', { salesChannelId: 'text', accountHolderId: 'text' }, keys);
  return query(
    em,
    sql`select ${partyColumns} from ${wanted}
        join trader on trader.sales_channel_id = wanted."salesChannelId"
          and trader.account_holder_id = wanted."accountHolderId"`,
  );
}

/**
 * The traders of an account holder, one for each channel that has accepted it. By its proposals, which an index finds:
 * there is no other way to become a trader with an account holder.
 */
export const findTradersOfHolder = (em: EntityManager, accountHolderId: string): Promise<PartyRow[]> =>
  query(
    em,
    sql`select sales_channel_id as "salesChannelId", trader_id as "traderId", account_holder_id as "accountHolderId"
        from proposal where account_holder_id = ${accountHolderId} and trader_id is not null order by position`,
  );

/** Those of the keys that are traders of their channels, with their names. */
export async function findNamedParties(
  em: EntityManager,
  keys: readonly PartyKey[],
): Promise<(PartyRow & { readonly name: string })[]> {
  if (keys.length === 0) return [];
  const wanted = recordset('wanted', { salesChannelId: 'text', traderId: 'text' }, keys);
  return query(
    em,
    sql`select ${partyColumns}, trader.name from ${wanted}
        join trader on trader.id = wanted."traderId" and trader.sales_channel_id = wanted."salesChannelId"`,
  );
}
