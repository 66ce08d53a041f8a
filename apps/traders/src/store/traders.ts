import { queryFirst, sql, type EntityManager } from '@saleschannel/database';
import type { TraderPatch } from '../domain/merge-patch.ts';
import type { Trader } from '../domain/trader.ts';

export const traderColumns = sql`trader.id, trader.business_id as "businessId", trader.name, trader.address`;

/** Where a request is remembered, and what it was. */
export interface RequestKey {
  readonly salesChannelId: string;
  readonly operation: 'createTrader';
  readonly key: string;
  readonly fingerprint: Buffer;
}

/**
 * Makes the trader together with the record of its request. Undefined, and nothing made, when the key has a record.
 * Waits for a transaction under way with the same key, whose record a later statement then sees.
 */
export const insertTraderOnce = (
  em: EntityManager,
  { id, businessId, name, address }: Trader,
  { salesChannelId, operation, key, fingerprint }: RequestKey,
): Promise<Trader | undefined> =>
  queryFirst(
    em,
    sql`with record as (
          insert into idempotency_record (sales_channel_id, operation, key, fingerprint, trader_id)
          values (${salesChannelId}, ${operation}, ${key}, ${fingerprint}, ${id})
          on conflict (sales_channel_id, operation, key) do nothing
          returning trader_id
        )
        insert into trader (id, sales_channel_id, business_id, name, address)
        select trader_id, ${salesChannelId}, ${businessId}, ${name}, ${JSON.stringify(address)}::jsonb from record
        returning ${traderColumns}`,
  );

/** The trader that a key made, and whether the request was the same. */
export async function findTraderByRequest(
  em: EntityManager,
  { salesChannelId, operation, key, fingerprint }: RequestKey,
): Promise<{ trader: Trader; isSame: boolean } | undefined> {
  const row = await queryFirst<Trader & { isSame: boolean }>(
    em,
    sql`select ${traderColumns}, record.fingerprint = ${fingerprint} as "isSame"
        from idempotency_record as record join trader on trader.id = record.trader_id
        where record.sales_channel_id = ${salesChannelId} and record.operation = ${operation} and record.key = ${key}`,
  );
  if (!row) return undefined;
  const { isSame, ...trader } = row;
  return { trader, isSame };
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
