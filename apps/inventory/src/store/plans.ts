import { limitOfPart, query, raw, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { Bundle } from '../domain/bundle.ts';
import { isInOwnersChannel } from './bundle-lists.ts';
import { issuanceFacts, type IssuanceFacts } from './bundle-views.ts';
import { bundleColumns, toBundle, type BundleRow } from './bundles.ts';
import { matchesInventoryFilter, type InventoryFilter } from './inventory-lists.ts';

interface Trader {
  readonly salesChannelId: string;
  readonly traderId: string;
}

/** Oldest issuances of the registry to scan before sorting the issuances of the trader. */
const MAX_SCANNED_ISSUANCES = 4_096;

const isListableBy = ({ salesChannelId, traderId }: Trader): Sql =>
  sql`bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE' and ${isInOwnersChannel(salesChannelId)}`;

/** Reads bundles of a trader in the order of a plan. Scans issuances only until there are enough bundles. */
async function readOldest(em: EntityManager, issuances: Sql, trader: Trader, limit: number): Promise<Bundle[]> {
  const rows = await query<BundleRow>(
    em,
    sql`select ${bundleColumns}
        from (${issuances}) as issuance cross join lateral (
          select bundle.* from bundle where bundle.issuance_id = issuance.id and ${isListableBy(trader)}
          order by bundle.last ${limitOfPart(limit)}
        ) as bundle
        order by issuance.issuing_date, issuance.id, bundle.last limit ${limit}`,
  );
  return rows.map(toBundle);
}

/**
 * Reads the listable bundles of a trader within the oldest issuances of the registry, in the order of a plan: by time
 * of issue, issuance and serial. The trader has no earlier bundles, but may have later ones. Fast for traders with very
 * many issuances.
 */
export const selectOldestOfRegistry = (em: EntityManager, trader: Trader, filter: InventoryFilter, limit: number) =>
  readOldest(
    em,
    sql`select *
        from (
          select * from issuance order by issuing_date, id limit ${raw(String(MAX_SCANNED_ISSUANCES))}
        ) as issuance
        where ${matchesInventoryFilter(filter)} order by issuing_date, id`,
    trader,
    limit,
  );

/**
 * Reads the listable bundles of a trader from all its issuances, in the order of a plan. Scans all bundles of the
 * trader to find the issuances, then sorts the issuances. Slow only if nearly every bundle has its own issuance.
 */
export const selectOldestOfTrader = (em: EntityManager, trader: Trader, filter: InventoryFilter, limit: number) =>
  readOldest(
    em,
    sql`select issuance.*
        from (select distinct bundle.issuance_id from bundle where ${isListableBy(trader)}) as owned
        join issuance on issuance.id = owned.issuance_id
        where ${matchesInventoryFilter(filter)} order by issuance.issuing_date, issuance.id ${limitOfPart(limit)}`,
    trader,
    limit,
  );

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
