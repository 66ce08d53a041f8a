import { join, query, sql, type EntityManager, type Sql } from '@saleschannel/database';
import type { TimeRange } from '@saleschannel/primitives/validation';
import type { TransactionStatus, TransactionType } from '../domain/transaction.ts';
import { isInOwnersChannel } from './bundle-views.ts';
import {
  isInHoldingGroup,
  matchesHoldingFilter,
  selectHoldingGroups,
  type Holder,
  type HoldingFilter,
} from './holding-lists.ts';
import { matchesInventoryFilter, type InventoryFilter } from './inventory-lists.ts';
import { selectAllByMetadata, matchesNotes, type NotesFilter } from './references.ts';
import { isWithin } from './transaction-views.ts';

/** Sums for charts. Volumes are digits, because they may exceed the exact range of a double. */

/** Sum of the bundles with one value of a facet. */
export interface BundleSum<Facet extends string> {
  /** Null for the sum of all bundles. */
  readonly facet: Facet | null;
  readonly value: string | null;
  readonly bundles: number;
  readonly volume: string;
}

/** Sums bundles by issuance first. Issuances are few, so all facets cost little more than one. */
export const sumInventory = (
  em: EntityManager,
  { salesChannelId, traderId }: { salesChannelId: string; traderId: string },
  filter: InventoryFilter,
): Promise<BundleSum<'vintage' | 'methodologyCode' | 'productionFacilityId'>[]> =>
  query(
    em,
    sql`with owned as (
          select bundle.issuance_id, count(*) as bundles, sum(bundle.last - bundle.previous_last) as volume
          from bundle
          where bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE' and ${isInOwnersChannel(salesChannelId)}
          group by bundle.issuance_id
        )
        select
          case
            when grouping(issuance.vintage) = 0 then 'vintage'
            when grouping(issuance.methodology_code) = 0 then 'methodologyCode'
            when grouping(issuance.facility_id) = 0 then 'productionFacilityId'
          end as facet,
          coalesce(issuance.vintage::text, issuance.methodology_code, issuance.facility_id) as value,
          coalesce(sum(bundle.bundles), 0)::int as bundles, coalesce(sum(bundle.volume), 0)::text as volume
        from owned as bundle join issuance on issuance.id = bundle.issuance_id
        where ${matchesInventoryFilter(filter)}
        group by grouping sets ((), (issuance.vintage), (issuance.methodology_code), (issuance.facility_id))
        order by facet nulls first, value`,
  );

type HoldingFacet = 'state' | 'salesChannelId' | 'vintage' | 'productionFacilityId';

/** Sums all bundles of an account holder. Bundles outside of sales channels are in no sum by channel. */
export async function sumHoldings(
  em: EntityManager,
  holder: Holder,
  filter: HoldingFilter,
): Promise<BundleSum<HoldingFacet>[]> {
  const groups = selectHoldingGroups(holder, filter);
  if (groups.length === 0) return [];
  const parts = groups.map(
    (group) => sql`
      select ${group.state}::text as state, ${group.trader?.salesChannelId ?? null}::text as sales_channel_id,
        bundle.issuance_id, count(*) as bundles, sum(bundle.last - bundle.previous_last) as volume
      from bundle where ${isInHoldingGroup(holder, group)} group by bundle.issuance_id`,
  );
  return query(
    em,
    sql`with owned as (${join(parts, ' union all ')})
        select
          case
            when grouping(bundle.state) = 0 then 'state'
            when grouping(bundle.sales_channel_id) = 0 then 'salesChannelId'
            when grouping(issuance.vintage) = 0 then 'vintage'
            when grouping(issuance.facility_id) = 0 then 'productionFacilityId'
          end as facet,
          coalesce(bundle.state, bundle.sales_channel_id, issuance.vintage::text, issuance.facility_id) as value,
          coalesce(sum(bundle.bundles), 0)::int as bundles, coalesce(sum(bundle.volume), 0)::text as volume
        from owned as bundle join issuance on issuance.id = bundle.issuance_id
        where ${matchesHoldingFilter(filter)}
        group by grouping sets (
          (), (bundle.state), (bundle.sales_channel_id), (issuance.vintage), (issuance.facility_id)
        )
        order by facet nulls first, value`,
  );
}

export type TransactionGrouping = 'month' | 'vintage' | 'methodologyCode';

/** Sum of the transactions of one type in one group. */
export interface TransactionSum {
  readonly key: string;
  readonly type: TransactionType;
  readonly transactions: number;
  readonly volume: string;
}

export interface SummedTransactions extends NotesFilter {
  readonly salesChannelId: string;
  readonly types: readonly TransactionType[];
  readonly status: TransactionStatus;
  readonly traderId?: string | undefined;
  readonly createdAt: TimeRange;
}

/** @param timeZone time zone of months, by its IANA name */
const toGroupKey = (grouping: TransactionGrouping, timeZone: string): Sql =>
  ({
    month: sql`to_char(transaction.created_at at time zone ${timeZone}, 'YYYY-MM')`,
    vintage: sql`issuance.vintage::text`,
    methodologyCode: sql`issuance.methodology_code`,
  })[grouping];

/** A transaction counts once in each of its groups, with its volume in the group. */
export const sumTransactions = (
  em: EntityManager,
  { salesChannelId, types, status, traderId, createdAt, ...notes }: SummedTransactions,
  grouping: TransactionGrouping,
  timeZone: string,
): Promise<TransactionSum[]> => {
  const { externalReference, metadata: pair } = notes;
  // Start from the metadata, which few transactions may have. A reference finds its one transaction anyway.
  const pairToScan = externalReference === undefined ? pair : undefined;
  const from = pairToScan
    ? selectAllByMetadata(
        salesChannelId,
        pairToScan,
        sql`entry.type = any(${types}::text[]) and ${isWithin(createdAt, sql`entry.created_at`)}`,
      )
    : sql`ledger_transaction as transaction`;
  const conditions = [
    sql`transaction.sales_channel_id = ${salesChannelId}`,
    sql`transaction.type = any(${types}::text[])`,
    sql`transaction.status = ${status}`,
    isWithin(createdAt),
    ...(pairToScan ? [] : matchesNotes(salesChannelId, notes)),
  ];
  if (traderId !== undefined)
    conditions.push(sql`(transaction.seller_id = ${traderId} or transaction.buyer_id = ${traderId})`);
  return query(
    em,
    sql`select part.key, part.type, count(*)::int as transactions, sum(part.volume)::text as volume
        from (
          select ${toGroupKey(grouping, timeZone)} as key, transaction.type, sum(line.last - line.first + 1) as volume
          from ${from}
          join transaction_line as line on line.transaction_id = transaction.id
          join issuance on issuance.id = line.issuance_id
          where ${join(conditions, ' and ')}
          group by 1, transaction.type, transaction.id
        ) as part
        group by part.key, part.type order by part.key, part.type`,
  );
};
