import {
  countRows,
  isoTimestamp,
  query,
  sql,
  type Database,
  type EntityManager,
  type PageOf,
} from '@saleschannel/database';
import type { Page } from '@saleschannel/validation';
import type { BundleState } from '../domain/bundle.ts';
import { streamRows } from './rows.ts';

/** Bundles with what the APIs show of their issuance, which keeps what its facility was when it was made. */

/** Times are ISO 8601, serials digits without leading zeros. */
export interface BundleView {
  readonly issuanceId: string;
  readonly first: string;
  readonly last: string;
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

/** A bundle with its owner. */
export interface OwnedBundleView extends BundleView {
  readonly ownerId: string;
  readonly salesChannelId: string | null;
  readonly state: BundleState;
}

const viewColumns = sql`
  bundle.issuance_id as "issuanceId", (bundle.previous_last + 1)::text as first, bundle.last::text as last,
  issuance.serial_width as "serialWidth", issuance.facility_id as "facilityId",
  issuance.facility_code as "facilityCode", issuance.country_code as "countryCode",
  issuance.supplier_id as "supplierId", issuance.methodology_code as "methodologyCode",
  ${isoTimestamp('issuance.issuing_date')} as "issuingDate",
  ${isoTimestamp('issuance.expiration_date')} as "expirationDate", issuance.credit_type as "creditType",
  issuance.credit_type_id as "creditTypeId", issuance.standard, issuance.registry,
  ${isoTimestamp('issuance.production_start')} as "productionStartDate",
  ${isoTimestamp('issuance.production_end')} as "productionEndDate", issuance.vintage`;

const viewTables = sql`bundle join issuance on issuance.id = bundle.issuance_id`;

const isNotExpired = sql`(issuance.expiration_date is null or issuance.expiration_date > clock_timestamp())`;

/** The bundles of a trader that can be traded, retired or offramped now, by issuance id and serial, page by page. */
export const streamListable = (
  database: Database,
  salesChannelId: string,
  traderId: string,
): AsyncGenerator<BundleView[]> =>
  streamRows(
    database,
    sql`select ${viewColumns} from ${viewTables}
        where bundle.owner_id = ${traderId} and bundle.state = 'LISTABLE'
          and bundle.sales_channel_id = ${salesChannelId} and ${isNotExpired}
        order by bundle.issuance_id, bundle.last`,
  );

/** Certificates that are still in use. What was offramped is held by its account holder again. */
const isActive = sql`bundle.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')`;

/** A page of the active bundles of the whole registry, with their owners. */
export const pageOfCertificates = async (
  em: EntityManager,
  { limit, offset }: Page,
): Promise<PageOf<OwnedBundleView>> => ({
  total: await countRows(
    em,
    sql`from bundle join issuance on issuance.id = bundle.issuance_id where ${isActive} and ${isNotExpired}`,
  ),
  rows: await query(
    em,
    sql`select ${viewColumns}, bundle.owner_id as "ownerId", bundle.sales_channel_id as "salesChannelId", bundle.state
        from ${viewTables} where ${isActive} and ${isNotExpired}
        order by issuance.created_at, bundle.issuance_id, bundle.last limit ${limit} offset ${offset}`,
  ),
});
