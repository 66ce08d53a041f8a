import { query, type Database, type EntityManager } from '@saleschannel/database';
import type { TraderPatch } from '../domain/merge-patch.ts';
import type { LegalEntity, Trader } from '../domain/trader.ts';

const PAGE_ROWS = 500;

const columns = 'trader.id, trader.business_id as "businessId", trader.name, trader.address';

export interface NewTrader extends LegalEntity {
  id: string;
  salesChannelId: string;
}

/** Where a request is remembered, and what it was. */
export interface RequestKey {
  operation: 'createTrader';
  key: string;
  fingerprint: Buffer;
}

/**
 * Makes the trader together with the record of its request; undefined, and nothing made, when the key has a record. Waits for a transaction under way with the same
 * key, whose record a later statement then sees.
 */
export async function insertTraderOnce(
  em: EntityManager,
  trader: NewTrader,
  request: RequestKey,
): Promise<Trader | undefined> {
  const recordParams = [
    trader.salesChannelId,
    request.operation,
    request.key,
    request.fingerprint.toString('hex'),
    trader.id,
  ];
  const [created] = await query<Trader>(
    em,
    `with record as (
       insert into idempotency_record (sales_channel_id, operation, key, fingerprint, trader_id)
       values (?, ?, ?, decode(?, 'hex'), ?)
       on conflict (sales_channel_id, operation, key) do nothing
       returning trader_id
     )
     insert into trader (id, sales_channel_id, business_id, name, address)
     select trader_id, ?, ?, ?, ?::jsonb from record
     returning ${columns}`,
    [...recordParams, trader.salesChannelId, trader.businessId, trader.name, JSON.stringify(trader.address)],
  );
  return created;
}

/** The trader that a key made, and whether the request was the same. */
export async function findTraderByRequest(
  em: EntityManager,
  salesChannelId: string,
  request: RequestKey,
): Promise<{ trader: Trader; isSame: boolean } | undefined> {
  const [row] = await query<Trader & { isSame: boolean }>(
    em,
    `select ${columns}, record.fingerprint = decode(?, 'hex') as "isSame"
     from idempotency_record as record join trader on trader.id = record.trader_id
     where record.sales_channel_id = ? and record.operation = ? and record.key = ?`,
    [request.fingerprint.toString('hex'), salesChannelId, request.operation, request.key],
  );
  if (!row) return undefined;
  const { isSame, ...trader } = row;
  return { trader, isSame };
}

export async function findTrader(
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
): Promise<Trader | undefined> {
  const [trader] = await query<Trader>(em, `select ${columns} from trader where id = ? and sales_channel_id = ?`, [
    traderId,
    salesChannelId,
  ]);
  return trader;
}

/** Merges the patch in one statement, so that patches of different fields that meet both survive. */
export async function patchTrader(
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
  patch: TraderPatch,
): Promise<Trader | undefined> {
  const [trader] = await query<Trader>(
    em,
    `update trader set
       business_id = coalesce(?::text, business_id),
       name = coalesce(?::text, name),
       address = jsonb_strip_nulls(case when ? then '{}'::jsonb else address end || ?::jsonb)
     where id = ? and sales_channel_id = ?
     returning ${columns}`,
    [
      patch.businessId ?? null,
      patch.name ?? null,
      patch.clearsAddress,
      JSON.stringify(patch.address),
      traderId,
      salesChannelId,
    ],
  );
  return trader;
}

/** The traders of a channel in the order of their creation, read page by page: memory stays flat at any length. */
export async function* listTraders(database: Database, salesChannelId: string): AsyncGenerator<Trader> {
  for (let after: string | undefined = '0'; after !== undefined;) {
    const rows: (Trader & { position: string })[] = await query(
      database.em(),
      `select ${columns}, trader.position::text as position from trader where sales_channel_id = ? and trader.position > ?::bigint order by trader.position limit ${PAGE_ROWS}`,
      [salesChannelId, after],
    );
    for (const { position: _position, ...trader } of rows) yield trader;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.position;
  }
}
