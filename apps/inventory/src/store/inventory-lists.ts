import {
  countedRows,
  join,
  Keyset,
  queryFirst,
  sql,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type Sql,
  limitOfPart,
} from '@saleschannel/database';
import type { InventoryChanges } from '../domain/inventory-version.ts';
import { bundleKeysets, bySerial, isOfOwnersChannel, type BundleOrder } from './bundle-lists.ts';
import { firstShown, isNotExpired, issuanceFacts, type IssuanceFacts } from './bundle-views.ts';

/** The inventory of a trader: the longest of the lists that are read whole. So each of its rows is read cheaply. */

const inventory = new Keyset('inventory', bySerial);

const keysets = bundleKeysets('inventory');

/** All conditions that are present hold at once. */
export interface InventoryFilter {
  readonly issuanceId?: string | undefined;
  readonly vintage?: number | undefined;
  readonly productionFacilityId?: string | undefined;
  readonly methodologyCode?: string | undefined;
}

/** A bundle of an inventory. Serials are digits without leading zeros. */
export interface ListedBundle {
  /** The same object for all bundles of the issuance that follow each other in a page. */
  readonly issuance: IssuanceFacts;
  readonly first: string;
  readonly last: string;
}

/** An issuance with all its bundles of a page, such as `1-5,8-8`. */
interface FoldedRow extends IssuanceFacts {
  readonly ranges: string;
}

/** Bundles that the filter takes, and that have not expired. */
export function isWanted({ issuanceId, vintage, productionFacilityId, methodologyCode }: InventoryFilter): Sql {
  const conditions = [isNotExpired];
  if (issuanceId !== undefined) conditions.push(sql`issuance.id = ${issuanceId}::uuid`);
  if (vintage !== undefined) conditions.push(sql`issuance.vintage = ${vintage}`);
  if (productionFacilityId !== undefined) conditions.push(sql`issuance.facility_id = ${productionFacilityId}`);
  if (methodologyCode !== undefined) conditions.push(sql`issuance.methodology_code = ${methodologyCode}`);
  return join(conditions, ' and ');
}

function unfold(found: readonly FoldedRow[]): ListedBundle[] {
  const bundles: ListedBundle[] = [];
  for (const issuance of found) {
    for (const range of issuance.ranges.split(',')) {
      const at = range.indexOf('-');
      bundles.push({ issuance, first: range.slice(0, at), last: range.slice(at + 1) });
    }
  }
  return bundles;
}

/**
 * A page of the bundles of a trader that can be traded, retired or offramped now. What bundles have of their issuance
 * comes once for all of them: most of what a row costs is what is said again in each.
 */
export const listableOf = (
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
  filter: InventoryFilter,
  asked: PageAsked,
): Promise<ListPart<ListedBundle>> =>
  inventory.foldedPage<FoldedRow, ListedBundle>(
    em,
    { ...asked, scope: [salesChannelId, traderId, filter] },
    ({ after, order, rows, reach, from }) =>
      sql`select ${issuanceFacts}, folded.ranges
          from (
            select issuance_id, string_agg(first || '-' || last, ',' order by last) as ranges
            from (
              select * from (
                select bundle.issuance_id, bundle.last, ${firstShown(from)}
                from bundle join issuance on issuance.id = bundle.issuance_id
                where bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE'
                  and ${isOfOwnersChannel(salesChannelId)} and ${isWanted(filter)} and ${after}
                order by ${order} ${limitOfPart(reach)}
              ) as bundle order by ${order} ${rows}
            ) as page group by issuance_id
          ) as folded join issuance on issuance.id = folded.issuance_id
          order by issuance.id`,
    unfold,
    ({ issuance, last }) => [issuance.issuanceId, last],
  );

/**
 * The same in another order. No index has it, since each transfer would pay for that: a page sorts the bundles of the
 * trader and keeps its own.
 */
export const orderedListableOf = (
  em: EntityManager,
  salesChannelId: string,
  traderId: string,
  filter: InventoryFilter,
  asked: PageAsked,
  { by, descending }: BundleOrder,
): Promise<ListPart<ListedBundle>> =>
  keysets[by][descending ? 'descending' : 'ascending']
    .page<IssuanceFacts & { first: string; last: string }>(
      em,
      { ...asked, scope: [salesChannelId, traderId, filter] },
      ({ key, after, order, rows, from }) =>
        sql`select ${issuanceFacts}, bundle.last::text as last, ${firstShown(from?.slice(1))}, ${key}
            from bundle join issuance on issuance.id = bundle.issuance_id
            where bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE'
              and ${isOfOwnersChannel(salesChannelId)} and ${isWanted(filter)} and ${after}
            order by ${order} ${rows}`,
    )
    .then(({ rows, next }) => ({
      rows: rows.map(({ first, last, ...issuance }) => ({ issuance, first, last })),
      next,
    }));

/**
 * What the inventory of a trader has changed by until now. To be read before its rows: what expires in between is then
 * missing from rows of a version that is over, and never shown in rows of the next one.
 */
export async function changesOf(em: EntityManager, traderId: string): Promise<InventoryChanges> {
  const changes = await queryFirst<InventoryChanges>(
    em,
    sql`select ${countedRows('inventory', [traderId])}::text as moved,
          (
            select extract(epoch from max(expiration_date))::text from issuance
            where expiration_date <= statement_timestamp()
          ) as expired`,
  );
  if (!changes) throw new Error('a count has no value');
  return changes;
}
