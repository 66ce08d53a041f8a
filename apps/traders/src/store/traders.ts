import { query, queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { TraderPatch } from '../domain/merge-patch.ts';
import type { Trader } from '../domain/trader.ts';

export const traderColumns = sql`trader.id, trader.business_id as "businessId", trader.name, trader.address`;

/** Returns the trader as it is stored. */
export async function insertTrader(
  em: EntityManager,
  salesChannelId: string,
  { id, businessId, name, address }: Trader,
): Promise<Trader> {
  const [trader] = await query<Trader>(
    em,
    sql`insert into trader (id, sales_channel_id, business_id, name, address)
        values (${id}, ${salesChannelId}, ${businessId}, ${name}, ${JSON.stringify(address)}::jsonb)
        returning ${traderColumns}`,
  );
  if (!trader) throw new Error('a trader was not inserted');
  return trader;
}

export const findTrader = (em: EntityManager, salesChannelId: string, traderId: string): Promise<Trader | undefined> =>
  queryFirst(
    em,
    sql`select ${traderColumns} from trader where id = ${traderId} and sales_channel_id = ${salesChannelId}`,
  );

/** Merges the patch in one statement, so that patches of different fields that meet both survive. */
export const patchTrader = (
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
  { businessId, name, address }: TraderPatch,
): Promise<Trader | undefined> =>
  queryFirst(
    em,
    sql`update trader set
          business_id = coalesce(${businessId ?? null}::text, business_id),
          name = coalesce(${name ?? null}::text, name),
          address = jsonb_strip_nulls(address || ${JSON.stringify(address)}::jsonb)
        where id = ${traderId} and sales_channel_id = ${salesChannelId}
        returning ${traderColumns}`,
  );
