import {
  nameContains,
  join,
  Keyset,
  query,
  queryFirst,
  sql,
  startsWith,
  recordset,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type Sql,
} from '@saleschannel/database';
import { toComparisonKey, type ListOrder } from '@saleschannel/primitives/validation';
import type { TraderPatch, Trader } from '../domain/trader.ts';

const traderColumns = sql`trader.id, trader.business_id as "businessId", trader.name, trader.address`;

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
  if (!trader) throw new Error('The inserted row was not returned.');
  return trader;
}

export const findTrader = (em: EntityManager, salesChannelId: string, traderId: string): Promise<Trader | undefined> =>
  queryFirst(
    em,
    sql`select ${traderColumns} from trader where id = ${traderId} and sales_channel_id = ${salesChannelId}`,
  );

/** Merges the patch in one statement, so that concurrent patches of different fields all survive. */
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

const backwards = { descending: true };

/**
 * All sales channels share these numbers, so a cursor holds the id: a channel must not see how fast the others grow.
 */
const position = {
  column: 'trader.position',
  type: 'text',
  by: { column: 'trader.id', find: (id: Sql) => sql`(select position from trader where id = ${id})` },
} as const;

/** The columns of the index that searches names. */
const nameColumns = [{ column: '(lower(trader.name) collate "C")', type: 'text' }, position] as const;
const keysets = {
  createdAt: { ascending: new Keyset('traders', [position]), descending: new Keyset('traders', [position], backwards) },
  name: {
    ascending: new Keyset('traders-by-name', nameColumns),
    descending: new Keyset('traders-by-name', nameColumns, backwards),
  },
};

export type TraderOrder = ListOrder<keyof typeof keysets>;

/** The expressions of the index on parts of names. */
const nameInChannel = { name: sql`trader.name`, scope: sql`trader.sales_channel_id || '/'` };

/** `offset 0` forces the index: the generic plan would scan all traders in list order. */
const tradersNamed = (salesChannelId: string, part: string): Sql => sql`(
  select * from trader where ${nameContains(nameInChannel, `${salesChannelId}/`, part)} offset 0
) as trader`;

/** A trader must meet every condition present. */
export interface TraderFilter {
  /** Ignores case. */
  readonly namePrefix?: string | undefined;
  /** Ignores case and accents. */
  readonly namePart?: string | undefined;
  readonly businessId?: string | undefined;
}

/** Reads a page of the traders of a channel, by default in the order of creation, or by name with a name prefix. */
export function selectTraders(
  em: EntityManager,
  salesChannelId: string,
  filter: TraderFilter,
  page: PageRequest,
  order?: TraderOrder,
): Promise<ListPart<Trader>> {
  const { namePrefix, namePart, businessId } = filter;
  const { by, descending } = order ?? { by: namePrefix === undefined ? 'createdAt' : 'name', descending: false };
  const conditions = [sql`trader.sales_channel_id = ${salesChannelId}`];
  if (businessId !== undefined)
    conditions.push(sql`trader.business_id = any(${[businessId, toComparisonKey(businessId)]}::text[])`);
  if (namePrefix !== undefined) conditions.push(startsWith(sql`(lower(trader.name) collate "C")`, namePrefix));
  const source = namePart === undefined ? sql`trader` : tradersNamed(salesChannelId, namePart);
  return keysets[by][descending ? 'descending' : 'ascending'].page(
    em,
    { ...page, scope: [salesChannelId, filter] },
    ({ key, after, order: columns, rows }) =>
      sql`select ${traderColumns}, ${key} from ${source} where ${join(conditions, ' and ')} and ${after}
          order by ${columns} ${rows}`,
  );
}

interface PartyKey {
  readonly salesChannelId: string;
  readonly traderId: string;
}

interface OnboardingKey {
  readonly salesChannelId: string;
  readonly accountHolderId: string;
}

/** A trader as other services know it. */
export interface PartyRow extends PartyKey {
  readonly accountHolderId: string | null;
}

const partyColumns = sql`
  trader.sales_channel_id as "salesChannelId", trader.id as "traderId", trader.account_holder_id as "accountHolderId"`;

/** Finds traders by their keys, with one index look-up each. Leaves out unknown ones. */
async function findByKeys<Row extends object>(
  em: EntityManager,
  columns: Sql,
  keys: readonly PartyKey[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const requested = recordset('requested', { salesChannelId: 'text', traderId: 'text' }, keys);
  return query(
    em,
    sql`select ${columns} from ${requested}
        join trader on trader.id = requested."traderId" and trader.sales_channel_id = requested."salesChannelId"`,
  );
}

export const findParties = (em: EntityManager, keys: readonly PartyKey[]): Promise<PartyRow[]> =>
  findByKeys(em, partyColumns, keys);

export const findNamedParties = (
  em: EntityManager,
  keys: readonly PartyKey[],
): Promise<(PartyRow & { readonly name: string })[]> => findByKeys(em, sql`${partyColumns}, trader.name`, keys);

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
