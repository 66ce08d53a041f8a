import { query, sql, type EntityManager } from '@saleschannel/database';
import type { Bundle } from '../domain/bundle.ts';
import { isOfOwnersChannel } from './bundle-lists.ts';
import { issuanceFacts, type IssuanceFacts } from './bundle-views.ts';
import { bundleColumns, toBundle, type BundleRow } from './bundles.ts';
import { isWanted, type InventoryFilter } from './inventory-lists.ts';

/** What plans of transfers are made of. */

/**
 * The listable bundles of a trader that were issued first, in the order in which a volume is taken from them: by time
 * of issue, then by issuance and serial. Whoever owns many bundles owns few issuances, so each of these is asked for
 * its first bundles by the index of owners.
 */
export async function oldestListable(
  em: EntityManager,
  { salesChannelId, traderId }: { salesChannelId: string; traderId: string },
  filter: InventoryFilter,
  limit: number,
): Promise<Bundle[]> {
  const ofTrader = sql`bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE'
    and ${isOfOwnersChannel(salesChannelId)}`;
  const rows = await query<BundleRow>(
    em,
    sql`select ${bundleColumns}
        from (select distinct bundle.issuance_id from bundle where ${ofTrader}) as owned
        join issuance on issuance.id = owned.issuance_id
        cross join lateral (
          select bundle.* from bundle where bundle.issuance_id = issuance.id and ${ofTrader}
          order by bundle.last limit ${limit}
        ) as bundle
        where ${isWanted(filter)}
        order by issuance.issuing_date, issuance.id, bundle.last limit ${limit}`,
  );
  return rows.map(toBundle);
}

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
