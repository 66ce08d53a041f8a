import { isoTimestamp, Keyset, sql, type Sql } from '@saleschannel/database';
import type { ListOrder } from '@saleschannel/primitives/validation';
import type { BundleState } from '../domain/bundle.ts';

/** An issuance as the APIs show it with each bundle. Keeps the facility as it was at issue. Times are ISO 8601. */
export interface IssuanceFacts {
  readonly issuanceId: string;
  readonly serialWidth: number;
  readonly facilityId: string;
  readonly facilityCode: string;
  readonly countryCode: string;
  readonly supplierId: string;
  readonly methodologyCode: string;
  readonly issuingDate: string;
  readonly expirationDate: string | null;
  readonly creditType: string;
  readonly creditTypeId: string;
  readonly standard: string;
  readonly registry: string;
  readonly productionStartDate: string;
  readonly productionEndDate: string;
  readonly vintage: number;
}

/** Serials are digits without leading zeros. */
export interface BundleView extends IssuanceFacts {
  readonly first: string;
  readonly last: string;
}

export interface OwnedBundleView extends BundleView {
  readonly ownerId: string;
  readonly salesChannelId: string | null;
  readonly state: BundleState;
}

export const issuanceFacts = sql`
  issuance.id as "issuanceId", issuance.serial_width as "serialWidth", issuance.facility_id as "facilityId",
  issuance.facility_code as "facilityCode", issuance.country_code as "countryCode",
  issuance.supplier_id as "supplierId", issuance.methodology_code as "methodologyCode",
  ${isoTimestamp('issuance.issuing_date')} as "issuingDate",
  ${isoTimestamp('issuance.expiration_date')} as "expirationDate", issuance.credit_type as "creditType",
  issuance.credit_type_id as "creditTypeId", issuance.standard, issuance.registry,
  ${isoTimestamp('issuance.production_start')} as "productionStartDate",
  ${isoTimestamp('issuance.production_end')} as "productionEndDate", issuance.vintage`;

/** Without the first serial. */
export const bundleColumns = sql`${issuanceFacts}, bundle.last::text as last`;

/**
 * As of the start of the statement. With a running clock, PostgreSQL would evaluate the condition for every bundle and
 * could not cache the issuance between bundles.
 */
export const isNotExpired = sql`(
  issuance.expiration_date is null or issuance.expiration_date > statement_timestamp()
)`;

/**
 * First serial of a bundle in a list. If bundles merged since the previous page, leaves out the part that it showed.
 * @param from issuance and last serial of the previous page
 */
export function selectFirstUnshownSerial(from: readonly string[] | undefined): Sql {
  if (!from) return sql`(bundle.previous_last + 1)::text as first`;
  const [issuanceId, last] = from;
  return sql`(case when bundle.issuance_id = ${issuanceId}::uuid then greatest(bundle.previous_last, ${last}::numeric)
    else bundle.previous_last end + 1)::text as first`;
}

/**
 * Lists of bundles, in the order of issuance and serial, which certificates keep when bundles split and merge. So a
 * certificate that stays in the list appears exactly once, even if bundles change between two pages.
 */

export const bySerial = [
  { column: 'bundle.issuance_id', type: 'uuid' },
  { column: 'bundle.last', type: 'numeric' },
] as const;
/** Sort keys for the bundles of an owner. */
export const bundleOrders = ['issuingDate', 'vintage', 'volume'] as const;
export type BundleOrder = ListOrder<(typeof bundleOrders)[number]>;

const sortColumns = {
  issuingDate: { column: 'issuance.issuing_date', type: 'timestamptz' },
  vintage: { column: 'issuance.vintage', type: 'bigint' },
  volume: { column: '(bundle.last - bundle.previous_last)', type: 'numeric' },
} as const;

/**
 * Bundles with equal values are sorted by issuance and serial in both directions, so that a bundle that splits between
 * two pages continues where the previous page ended.
 */
export function createBundleKeysets(list: string) {
  const createKeysets = (by: BundleOrder['by']) => ({
    ascending: new Keyset(`${list}-by-${by}`, [sortColumns[by], ...bySerial]),
    descending: new Keyset(`${list}-by-${by}-descending`, [{ ...sortColumns[by], isReversed: true }, ...bySerial]),
  });
  return {
    issuingDate: createKeysets('issuingDate'),
    vintage: createKeysets('vintage'),
    volume: createKeysets('volume'),
  };
}

/**
 * An owner belongs to one channel. The condition is hidden from indexes, because a generic plan might otherwise scan
 * all bundles of the channel.
 */
export const isInOwnersChannel = (salesChannelId: string): Sql =>
  sql`(bundle.sales_channel_id = ${salesChannelId}) is true`;
