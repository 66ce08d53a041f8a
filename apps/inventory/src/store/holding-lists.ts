import {
  join,
  Keyset,
  raw,
  sql,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type Sql,
  limitOfPart,
} from '@saleschannel/database';
import {
  bundleStateOf,
  holdingsOfHolder,
  holdingsOfTrader,
  type HoldingState,
  type TraderOfHolder,
} from '../domain/holding.ts';
import { bundleKeysets, bySerial, type BundleOrder } from './bundle-lists.ts';
import { firstShown, issuanceFacts, type IssuanceFacts } from './bundle-views.ts';

/**
 * What an account holder has: outside of any sales channel, and on each as the trader that it is there. In the order of
 * serials, which certificates keep: whatever is listed, sold back or retired between two pages is shown once.
 */

const holdings = new Keyset('holdings', bySerial);
const keysets = bundleKeysets('holdings');

/** All conditions that are present hold at once. */
export interface HoldingFilter {
  readonly state?: HoldingState | undefined;
  readonly salesChannelId?: string | undefined;
  readonly vintage?: number | undefined;
  readonly productionFacilityId?: string | undefined;
}

/** What bundles of one issuance have in common. */
export interface HoldingFacts extends IssuanceFacts {
  readonly facilityName: string;
}

/** Where bundles are. The trader is undefined outside of any sales channel. */
export interface Place {
  readonly state: HoldingState;
  readonly trader: TraderOfHolder | undefined;
}

/** A bundle of an account holder. Serials are digits without leading zeros. */
export interface Holding extends Place {
  /** The same object for all bundles of the issuance that follow each other in a page. */
  readonly issuance: HoldingFacts;
  readonly first: string;
  readonly last: string;
}

/** An issuance with all its bundles of a page: first and last serial and the number of the place, as `1-5-0,8-8-2`. */
interface FoldedRow extends HoldingFacts {
  readonly ranges: string;
}

/** Whose holdings they are. */
export interface Holder {
  readonly accountHolderId: string;
  readonly traders: readonly TraderOfHolder[];
}

/** Where bundles may be that the filter wants. Each place is a part of the list. */
export function placesOf({ traders }: Holder, { state, salesChannelId }: HoldingFilter): Place[] {
  const isWanted = (each: HoldingState): boolean => state === undefined || each === state;
  const outside = salesChannelId === undefined ? holdingsOfHolder : [];
  const within = traders.filter((trader) => salesChannelId === undefined || trader.salesChannelId === salesChannelId);
  return [
    ...outside.filter(isWanted).map((each) => ({ state: each, trader: undefined })),
    ...within.flatMap((trader) => holdingsOfTrader.filter(isWanted).map((each) => ({ state: each, trader }))),
  ];
}

/** The state stands there as text: an index for some states is of use where a plan knows the state. */
export const isAt = ({ accountHolderId }: Holder, { state, trader }: Place): Sql =>
  sql`bundle.owner_id = ${trader?.traderId ?? accountHolderId} and bundle.state = ${raw(`'${bundleStateOf[state]}'`)}`;

/** The facts of issuances that a filter asks for. What it asks of places is in these. */
export function isHoldingWanted({ vintage, productionFacilityId }: HoldingFilter): Sql {
  const conditions: Sql[] = [sql`true`];
  if (vintage !== undefined) conditions.push(sql`issuance.vintage = ${vintage}`);
  if (productionFacilityId !== undefined) conditions.push(sql`issuance.facility_id = ${productionFacilityId}`);
  return join(conditions, ' and ');
}

function holdingAt(place: Place | undefined, issuance: HoldingFacts, first?: string, last?: string): Holding {
  if (first === undefined || last === undefined || !place) throw new Error('a row of holdings is broken');
  return { issuance, first, last, state: place.state, trader: place.trader };
}

const unfold = (found: readonly FoldedRow[], places: readonly Place[]): Holding[] =>
  found.flatMap((issuance) =>
    issuance.ranges.split(',').map((range) => {
      const [first, last, at] = range.split('-');
      return holdingAt(places[Number(at)], issuance, first, last);
    }),
  );

/** A page of what an account holder has. What has expired is still its. */
export async function holdingsOf(
  em: EntityManager,
  holder: Holder,
  filter: HoldingFilter,
  asked: PageAsked,
): Promise<ListPart<Holding>> {
  const places = placesOf(holder, filter);
  if (places.length === 0) return { rows: [], next: undefined };
  return holdings.foldedPage<FoldedRow, Holding>(
    em,
    { ...asked, scope: [holder.accountHolderId, filter] },
    ({ after, order, rows, reach, from }) => {
      const parts = places.map(
        (place, index) => sql`(
          select bundle.issuance_id, bundle.last, ${firstShown(from)}, ${raw(String(index))} as place
          from bundle join issuance on issuance.id = bundle.issuance_id
          where ${isAt(holder, place)} and ${isHoldingWanted(filter)} and ${after}
          order by ${order} ${limitOfPart(reach)}
        )`,
      );
      return sql`select ${issuanceFacts}, facility.name as "facilityName", folded.ranges
        from (
          select issuance_id, string_agg(first || '-' || last || '-' || place, ',' order by last) as ranges
          from (select * from (${join(parts, ' union all ')}) as bundle order by ${order} ${rows}) as page
          group by issuance_id
        ) as folded join issuance on issuance.id = folded.issuance_id
        join production_facility as facility on facility.id = issuance.facility_id
        order by issuance.id`;
    },
    (found) => unfold(found, places),
    ({ issuance, last }) => [issuance.issuanceId, last],
  );
}

/** The same in another order. No index has it: a page sorts the bundles of the account holder and keeps its own. */
export async function orderedHoldingsOf(
  em: EntityManager,
  holder: Holder,
  filter: HoldingFilter,
  asked: PageAsked,
  { by, descending }: BundleOrder,
): Promise<ListPart<Holding>> {
  const places = placesOf(holder, filter);
  if (places.length === 0) return { rows: [], next: undefined };
  const { rows, next } = await keysets[by][descending ? 'descending' : 'ascending'].page<
    HoldingFacts & { first: string; last: string; place: number }
  >(em, { ...asked, scope: [holder.accountHolderId, filter] }, ({ key, after, order, rows: part, from }) => {
    const parts = places.map(
      (place, index) => sql`(
        select bundle.issuance_id, bundle.previous_last, bundle.last, ${raw(String(index))} as place
        from bundle where ${isAt(holder, place)}
      )`,
    );
    return sql`select ${issuanceFacts}, facility.name as "facilityName", bundle.place,
        bundle.last::text as last, ${firstShown(from?.slice(1))}, ${key}
      from (${join(parts, ' union all ')}) as bundle
      join issuance on issuance.id = bundle.issuance_id
      join production_facility as facility on facility.id = issuance.facility_id
      where ${isHoldingWanted(filter)} and ${after}
      order by ${order} ${part}`;
  });
  return {
    rows: rows.map(({ first, last, place, ...issuance }) => holdingAt(places[place], issuance, first, last)),
    next,
  };
}
