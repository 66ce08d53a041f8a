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

/** Finds the traders of the keys, with one index look-up each. Leaves out unknown ones. */
export async function findParties(em: EntityManager, keys: readonly PartyKey[]): Promise<PartyRow[]> {
  if (keys.length === 0) return [];
  const requested = recordset('requested', { salesChannelId: 'text', traderId: 'text' }, keys);
  return query(
    em,
    sql`select ${partyColumns} from ${requested}
        join trader on trader.id = requested."traderId" and trader.sales_channel_id = requested."salesChannelId"`,
  );
}

/** Finds the traders that account holders became by an accepted proposal. */
export async function findOnboardedParties(em: EntityManager, keys: readonly OnboardingKey[]): Promise<PartyRow[]> {
  if (keys.length === 0) return [];
  const requested = recordset('requested', { salesChannelId: 'text', accountHolderId: 'text' }, keys);
  return query(
    em,
    sql`select ${partyColumns} from ${requested}
        join trader on trader.sales_channel_id = requested."salesChannelId"
          and trader.account_holder_id = requested."accountHolderId"`,
  );
}

/**
 * Finds the traders of an account holder, at most one per channel. Reads its proposals, which have an index: only an
 * accepted proposal makes a trader with an account holder.
 */
export const findTradersOfHolder = (em: EntityManager, accountHolderId: string): Promise<PartyRow[]> =>
  query(
    em,
    sql`select sales_channel_id as "salesChannelId", trader_id as "traderId", account_holder_id as "accountHolderId"
        from proposal where account_holder_id = ${accountHolderId} and trader_id is not null order by position`,
  );

/** Finds the traders of the keys, with their names. Leaves out unknown ones. */
export async function findNamedParties(
  em: EntityManager,
  keys: readonly PartyKey[],
): Promise<(PartyRow & { readonly name: string })[]> {
  if (keys.length === 0) return [];
  const requested = recordset('requested', { salesChannelId: 'text', traderId: 'text' }, keys);
  return query(
    em,
    sql`select ${partyColumns}, trader.name from ${requested}
        join trader on trader.id = requested."traderId" and trader.sales_channel_id = requested."salesChannelId"`,
  );
}
