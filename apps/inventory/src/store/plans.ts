import { limitOfPart, query, raw, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { Bundle } from '../domain/bundle.ts';
import { isOfOwnersChannel } from './bundle-lists.ts';
import { issuanceFacts, type IssuanceFacts } from './bundle-views.ts';
import { bundleColumns, toBundle, type BundleRow } from './bundles.ts';
import { isWanted, type InventoryFilter } from './inventory-lists.ts';

/** What plans of transfers are made of. */

/** Whose bundles are planned for. */
interface Trader {
  readonly salesChannelId: string;
  readonly traderId: string;
}

/** How many of the issuances of all owners are gone through, oldest first, before the trader's own are sorted. */
const ISSUANCES_GONE_THROUGH = 4_096;

const listableOf = ({ salesChannelId, traderId }: Trader): Sql =>
  sql`bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE' and ${isOfOwnersChannel(salesChannelId)}`;

/** Bundles of a trader, in the order of a plan. PostgreSQL reads the issuances until it has enough bundles of them. */
async function firstOf(em: EntityManager, issuances: Sql, trader: Trader, limit: number): Promise<Bundle[]> {
  const rows = await query<BundleRow>(
    em,
    sql`select ${bundleColumns}
        from (${issuances}) as issuance cross join lateral (
          select bundle.* from bundle where bundle.issuance_id = issuance.id and ${listableOf(trader)}
          order by bundle.last ${limitOfPart(limit)}
        ) as bundle
        order by issuance.issuing_date, issuance.id, bundle.last limit ${limit}`,
  );
  return rows.map(toBundle);
}

/**
 * The listable bundles of a trader that are of the oldest issuances of the registry, in the order in which a volume is
 * taken from them: by time of issue, then by issuance and serial. Nothing that the trader has comes before these, and
 * more may follow. Whoever owns very many issuances is soon met in this way.
 */
export const oldestOfRegistry = (em: EntityManager, trader: Trader, filter: InventoryFilter, limit: number) =>
  firstOf(
    em,
    sql`select *
        from (
          select * from issuance order by issuing_date, id limit ${raw(String(ISSUANCES_GONE_THROUGH))}
        ) as issuance
        where ${isWanted(filter)} order by issuing_date, id`,
    trader,
    limit,
  );

/**
 * The same of all issuances of the trader. Each bundle of the trader is looked at to name these, and each of them to
 * sort them: much where every bundle is of another issuance, and little else.
 */
export const oldestOfTrader = (em: EntityManager, trader: Trader, filter: InventoryFilter, limit: number) =>
  firstOf(
    em,
    sql`select issuance.*
        from (select distinct bundle.issuance_id from bundle where ${listableOf(trader)}) as owned
        join issuance on issuance.id = owned.issuance_id
        where ${isWanted(filter)} order by issuance.issuing_date, issuance.id ${limitOfPart(limit)}`,
    trader,
    limit,
  );

/** What the APIs show of these issuances, by id. */
export async function findIssuanceFacts(
  em: EntityManager,
  issuanceIds: readonly string[],
): Promise<Map<string, IssuanceFacts>> {
  const rows = await query<IssuanceFacts>(
    em,
    sql`select ${issuanceFacts} from issuance where issuance.id = any(${issuanceIds}::uuid[])`,
  );
  return new Map(rows.map((facts) => [facts.issuanceId, facts]));
}
