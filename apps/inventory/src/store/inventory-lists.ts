import {
  totalExpression,
  join,
  Keyset,
  queryFirst,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type Sql,
  limitPart,
  query,
  raw,
} from '@saleschannel/database';
import type { Bundle } from '../domain/bundle.ts';
import {
  createBundleKeysets,
  bySerial,
  isInOwnersChannel,
  type BundleOrder,
  selectFirstUnshownSerial,
  isNotExpired,
  issuanceFacts,
  type IssuanceFacts,
} from './bundle-views.ts';
import { bundleColumns, toBundle, type BundleRow } from './bundles.ts';

/** Inventories of traders. They are the longest lists that are read whole, so each row must be cheap. */

const inventory = new Keyset('inventory', bySerial);

const keysets = createBundleKeysets('inventory');

export interface InventoryFilter {
  readonly issuanceId?: string | undefined;
  readonly vintage?: number | undefined;
  readonly productionFacilityId?: string | undefined;
  readonly methodologyCode?: string | undefined;
}

/** A bundle of an inventory. Serials are digits without leading zeros. */
export interface ListedBundle {
  /** The same object for consecutive bundles of one issuance. */
  readonly issuance: IssuanceFacts;
  readonly first: string;
  readonly last: string;
}

/** An issuance with its bundles of a page, as `1-5,8-8`. */
interface FoldedRow extends IssuanceFacts {
  readonly ranges: string;
}

/** Matches unexpired bundles of the filter. */
export function matchesInventoryFilter({
  issuanceId,
  vintage,
  productionFacilityId,
  methodologyCode,
}: InventoryFilter): Sql {
  const conditions = [isNotExpired];
  if (issuanceId !== undefined) conditions.push(sql`issuance.id = ${issuanceId}::uuid`);
  if (vintage !== undefined) conditions.push(sql`issuance.vintage = ${vintage}`);
  if (productionFacilityId !== undefined) conditions.push(sql`issuance.facility_id = ${productionFacilityId}`);
  if (methodologyCode !== undefined) conditions.push(sql`issuance.methodology_code = ${methodologyCode}`);
  return join(conditions, ' and ');
}

function unfold(folded: readonly FoldedRow[]): ListedBundle[] {
  const bundles: ListedBundle[] = [];
  for (const issuance of folded) {
    for (const range of issuance.ranges.split(',')) {
      const dash = range.indexOf('-');
      bundles.push({ issuance, first: range.slice(0, dash), last: range.slice(dash + 1) });
    }
  }
  return bundles;
}

/**
 * Selects a page of the bundles of a trader that can be traded, retired or offramped. The facts of an issuance, which
 * are most of the cost of a row, are read once for all its bundles.
 */
export const selectInventory = (
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
  filter: InventoryFilter,
  page: PageRequest,
): Promise<ListPart<ListedBundle>> =>
  inventory.foldedPage<FoldedRow, ListedBundle>(
    em,
    { ...page, scope: [salesChannelId, traderId, filter] },
    ({ after, order, rows, maxRows, from }) =>
      sql`select ${issuanceFacts}, folded.ranges
          from (
            select issuance_id, string_agg(first || '-' || last, ',' order by last) as ranges
            from (
              select * from (
                select bundle.issuance_id, bundle.last, ${selectFirstUnshownSerial(from)}
                from bundle join issuance on issuance.id = bundle.issuance_id
                where bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE'
                  and ${isInOwnersChannel(salesChannelId)} and ${matchesInventoryFilter(filter)} and ${after}
                order by ${order} ${limitPart(maxRows)}
              ) as bundle order by ${order} ${rows}
            ) as page group by issuance_id
          ) as folded join issuance on issuance.id = folded.issuance_id
          order by issuance.id`,
    unfold,
    ({ issuance, last }) => [issuance.issuanceId, last],
  );

/**
 * Selects a page in another order. An index for it would cost every transfer, so each page sorts all bundles of the
 * trader.
 */
export const selectOrderedInventory = (
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
  filter: InventoryFilter,
  page: PageRequest,
  { by, descending }: BundleOrder,
): Promise<ListPart<ListedBundle>> =>
  keysets[by][descending ? 'descending' : 'ascending']
    .page<IssuanceFacts & { first: string; last: string }>(
      em,
      { ...page, scope: [salesChannelId, traderId, filter] },
      ({ key, after, order, rows, from }) =>
        sql`select ${issuanceFacts}, bundle.last::text as last, ${selectFirstUnshownSerial(from?.slice(1))}, ${key}
            from bundle join issuance on issuance.id = bundle.issuance_id
            where bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE'
              and ${isInOwnersChannel(salesChannelId)} and ${matchesInventoryFilter(filter)} and ${after}
            order by ${order} ${rows}`,
    )
    .then(({ rows, next }) => ({
      rows: rows.map(({ first, last, ...issuance }) => ({ issuance, first, last })),
      next,
    }));

/** Everything that changes an inventory. Neither member ever returns to an earlier value. */
export interface InventoryChanges {
  /** Grows with every transaction that changes listable bundles of the trader. */
  readonly moved: string;
  /** The latest expiry of any issuance in the past. Null before the first one. */
  readonly expired: string | null;
}

/**
 * Reads the counters of an inventory's version. Call this before reading rows. A bundle that expires in between is then
 * missing from an outdated version, and never present in the next one.
 */
export async function readInventoryChanges(em: EntityManager, traderId: string): Promise<InventoryChanges> {
  const changes = await queryFirst<InventoryChanges>(
    em,
    sql`select ${totalExpression('inventory', [traderId])}::text as moved,
          (
            select extract(epoch from max(expiration_date))::text from issuance
            where expiration_date <= statement_timestamp()
          ) as expired`,
  );
  if (!changes) throw new Error('a count has no value');
  return changes;
}

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
          order by bundle.last ${limitPart(limit)}
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
        where ${matchesInventoryFilter(filter)} order by issuance.issuing_date, issuance.id ${limitPart(limit)}`,
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
