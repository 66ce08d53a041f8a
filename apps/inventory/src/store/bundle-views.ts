import { isoTimestamp, sql, type Sql } from '@saleschannel/database';
import type { BundleState } from '../domain/bundle.ts';

/** Bundles with what the APIs show of their issuance, which keeps what its facility was when it was made. */

/** What the APIs show of an issuance with each of its bundles. Times are ISO 8601. */
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

/** A bundle with its owner. */
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

/** All but where the bundle begins. */
export const bundleColumns = sql`${issuanceFacts}, bundle.last::text as last`;

/**
 * By the time at which the statement began. A clock that goes on meanwhile would have to be asked for every bundle, and
 * so would the issuance, which PostgreSQL else remembers from one bundle to the next.
 */
export const isNotExpired = sql`(
  issuance.expiration_date is null or issuance.expiration_date > statement_timestamp()
)`;

/**
 * Where a bundle begins, as a list shows it. Between two pages bundles may have become one again. The part of such a
 * bundle that a page before has shown is left out: a list shows no certificate twice.
 * @param from issuance and last serial that a page before has ended with
 */
export function firstShown(from: readonly string[] | undefined): Sql {
  if (!from) return sql`(bundle.previous_last + 1)::text as first`;
  const [issuanceId, last] = from;
  return sql`(case when bundle.issuance_id = ${issuanceId}::uuid then greatest(bundle.previous_last, ${last}::numeric)
    else bundle.previous_last end + 1)::text as first`;
}
