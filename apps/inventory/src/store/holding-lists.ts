import {
  join,
  Keyset,
  raw,
  sql,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type Sql,
  limitPart,
} from '@saleschannel/database';
import { bundleStates, holderStates, traderStates, type HoldingState, type TraderOfHolder } from '../domain/bundle.ts';
import {
  createBundleKeysets,
  bySerial,
  type BundleOrder,
  selectFirstUnshownSerial,
  issuanceFacts,
  type IssuanceFacts,
} from './bundle-views.ts';

/**
 * Bundles of an account holder: its own bundles outside of sales channels, and the bundles of its traders. Sorted by
 * serial, which certificates keep, so that each appears once even if it moves between two pages.
 */

const holdings = new Keyset('holdings', bySerial);
const keysets = createBundleKeysets('holdings');

export interface HoldingFilter {
  readonly state?: HoldingState | undefined;
  readonly salesChannelId?: string | undefined;
  readonly vintage?: number | undefined;
  readonly productionFacilityId?: string | undefined;
}

export interface HoldingFacts extends IssuanceFacts {
  readonly facilityName: string;
}

/** Bundles with one owner and one state. The trader is undefined outside of sales channels. */
export interface HoldingGroup {
  readonly state: HoldingState;
  readonly trader: TraderOfHolder | undefined;
}

/** A bundle of an account holder. Serials are digits without leading zeros. */
export interface HoldingView extends HoldingGroup {
  /** The same object for consecutive bundles of one issuance. */
  readonly issuance: HoldingFacts;
  readonly first: string;
  readonly last: string;
}

/** An issuance with its bundles of a page: first serial, last serial and index of the group, as `1-5-0,8-8-2`. */
interface FoldedRow extends HoldingFacts {
  readonly ranges: string;
}

/** Owner of holdings. */
export interface Holder {
  readonly accountHolderId: string;
  readonly traders: readonly TraderOfHolder[];
}

/** Selects the groups of a filter. Each is a part of the list. */
export function selectHoldingGroups({ traders }: Holder, { state, salesChannelId }: HoldingFilter): HoldingGroup[] {
  const isSelected = (each: HoldingState): boolean => state === undefined || each === state;
  const outside = salesChannelId === undefined ? holderStates : [];
  const within = traders.filter((trader) => salesChannelId === undefined || trader.salesChannelId === salesChannelId);
  return [
    ...outside.filter(isSelected).map((each) => ({ state: each, trader: undefined })),
    ...within.flatMap((trader) => traderStates.filter(isSelected).map((each) => ({ state: each, trader }))),
  ];
}

/** The state is a literal, so that a generic plan can use partial indexes for it. */
export const isInHoldingGroup = ({ accountHolderId }: Holder, { state, trader }: HoldingGroup): Sql =>
  sql`bundle.owner_id = ${trader?.traderId ?? accountHolderId} and bundle.state = ${raw(`'${bundleStates[state]}'`)}`;

/** Matches issuances of the filter. `selectHoldingGroups` has the conditions on groups. */
export function matchesHoldingFilter({ vintage, productionFacilityId }: HoldingFilter): Sql {
  const conditions: Sql[] = [sql`true`];
  if (vintage !== undefined) conditions.push(sql`issuance.vintage = ${vintage}`);
  if (productionFacilityId !== undefined) conditions.push(sql`issuance.facility_id = ${productionFacilityId}`);
  return join(conditions, ' and ');
}

function toHolding(
  group: HoldingGroup | undefined,
  issuance: HoldingFacts,
  first?: string,
  last?: string,
): HoldingView {
  if (first === undefined || last === undefined || !group) throw new Error('a row of holdings is malformed');
  return { issuance, first, last, state: group.state, trader: group.trader };
}

const unfold = (folded: readonly FoldedRow[], groups: readonly HoldingGroup[]): HoldingView[] =>
  folded.flatMap((issuance) =>
    issuance.ranges.split(',').map((range) => {
      const [first, last, index] = range.split('-');
      return toHolding(groups[Number(index)], issuance, first, last);
    }),
  );

/** Selects a page of the bundles of an account holder, including expired ones. */
export async function selectHoldings(
  em: EntityManager,
  holder: Holder,
  filter: HoldingFilter,
  page: PageRequest,
): Promise<ListPart<HoldingView>> {
  const groups = selectHoldingGroups(holder, filter);
  if (groups.length === 0) return { rows: [], next: undefined };
  return holdings.foldedPage<FoldedRow, HoldingView>(
    em,
    { ...page, scope: [holder.accountHolderId, filter] },
    ({ after, order, rows, maxRows, from }) => {
      const parts = groups.map(
        (group, index) => sql`(
          select bundle.issuance_id, bundle.last, ${selectFirstUnshownSerial(from)},
            ${raw(String(index))} as group_index
          from bundle join issuance on issuance.id = bundle.issuance_id
          where ${isInHoldingGroup(holder, group)} and ${matchesHoldingFilter(filter)} and ${after}
          order by ${order} ${limitPart(maxRows)}
        )`,
      );
      return sql`select ${issuanceFacts}, facility.name as "facilityName", folded.ranges
        from (
          select issuance_id, string_agg(first || '-' || last || '-' || group_index, ',' order by last) as ranges
          from (select * from (${join(parts, ' union all ')}) as bundle order by ${order} ${rows}) as page
          group by issuance_id
        ) as folded join issuance on issuance.id = folded.issuance_id
        join production_facility as facility on facility.id = issuance.facility_id
        order by issuance.id`;
    },
    (folded) => unfold(folded, groups),
    ({ issuance, last }) => [issuance.issuanceId, last],
  );
}

/** Selects a page in another order. No index has it, so each page sorts all bundles of the account holder. */
export async function selectOrderedHoldings(
  em: EntityManager,
  holder: Holder,
  filter: HoldingFilter,
  page: PageRequest,
  { by, descending }: BundleOrder,
): Promise<ListPart<HoldingView>> {
  const groups = selectHoldingGroups(holder, filter);
  if (groups.length === 0) return { rows: [], next: undefined };
  const { rows, next } = await keysets[by][descending ? 'descending' : 'ascending'].page<
    HoldingFacts & { first: string; last: string; groupIndex: number }
  >(em, { ...page, scope: [holder.accountHolderId, filter] }, ({ key, after, order, rows: part, from }) => {
    const parts = groups.map(
      (group, index) => sql`(
        select bundle.issuance_id, bundle.previous_last, bundle.last, ${raw(String(index))} as group_index
        from bundle where ${isInHoldingGroup(holder, group)}
      )`,
    );
    return sql`select ${issuanceFacts}, facility.name as "facilityName", bundle.group_index as "groupIndex",
        bundle.last::text as last, ${selectFirstUnshownSerial(from?.slice(1))}, ${key}
      from (${join(parts, ' union all ')}) as bundle
      join issuance on issuance.id = bundle.issuance_id
      join production_facility as facility on facility.id = issuance.facility_id
      where ${matchesHoldingFilter(filter)} and ${after}
      order by ${order} ${part}`;
  });
  return {
    rows: rows.map(({ first, last, groupIndex, ...issuance }) => toHolding(groups[groupIndex], issuance, first, last)),
    next,
  };
}
