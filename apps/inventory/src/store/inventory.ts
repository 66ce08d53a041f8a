import { certificateId, formatCertificateRef, formatSerial } from '@saleschannel/primitives';
import { isoTimestamp, query, type Database, type EntityManager } from '@saleschannel/database';
import { exactNumber } from './json.ts';
import { jsonArray, streamRows } from './rows.ts';

/** Bundles as the APIs show them. */

interface BundleRow {
  issuance_id: string;
  first: string;
  last: string;
  serial_width: number;
  facility_id: string;
  facility_code: string;
  country_code: string;
  supplier_id: string;
  methodology_code: string;
  issuing_date: string;
  expiration_date: string | null;
  credit_type: string;
  credit_type_id: string;
  standard: string;
  registry: string;
  production_start: string;
  production_end: string;
  vintage: number;
}

const bundleColumns = `b.issuance_id, (b.previous_last + 1)::text as first, b.last::text as last, i.serial_width, f.id as facility_id, f.code as facility_code,
  f.country_code, f.supplier_id, i.methodology_code, ${isoTimestamp('i.issuing_date')} as issuing_date, ${isoTimestamp('i.expiration_date')} as expiration_date,
  i.credit_type, i.credit_type_id, i.standard, i.registry, ${isoTimestamp('i.production_start')} as production_start,
  ${isoTimestamp('i.production_end')} as production_end, i.vintage`;

const bundleTables =
  'bundle b join issuance i on i.id = b.issuance_id join production_facility f on f.id = i.facility_id';

const notExpired = '(i.expiration_date is null or i.expiration_date > clock_timestamp())';

interface Range {
  start: string;
  end: string;
  volume: unknown;
}

/** Start, end and volume of a range of an issuance, as every answer writes them. */
export function rangeOf(row: { issuance_id: string; first: string; last: string; serial_width: number }): Range {
  const form = { width: row.serial_width };
  return {
    start: formatCertificateRef(row.issuance_id, formatSerial(BigInt(row.first), form)),
    end: formatCertificateRef(row.issuance_id, formatSerial(BigInt(row.last), form)),
    volume: exactNumber(String(BigInt(row.last) - BigInt(row.first) + 1n)),
  };
}

const certificateIdOf = (row: BundleRow): string =>
  certificateId({
    standard: row.standard,
    registry: row.registry,
    creditType: row.credit_type,
    countryCode: row.country_code,
    facilityCode: row.facility_code,
    vintage: row.vintage,
    issuanceId: row.issuance_id,
    first: BigInt(row.first),
    last: BigInt(row.last),
    form: { width: row.serial_width },
  });

function renderListable(row: BundleRow): string {
  const { start, end, volume } = rangeOf(row);
  return JSON.stringify({
    volume,
    productionFacilityId: row.facility_id,
    supplierId: row.supplier_id,
    methodologyCode: row.methodology_code,
    issuingDate: row.issuing_date,
    expirationDate: row.expiration_date,
    creditTypeId: row.credit_type_id,
    standard: row.standard,
    countryCode: row.country_code,
    productionStartDate: row.production_start,
    productionEndDate: row.production_end,
    vintage: row.vintage,
    issuanceId: row.issuance_id,
    certificates: certificateIdOf(row),
    start,
    end,
  });
}

/** The bundles of a trader that can be traded, retired or offramped now, oldest issuance id first, as a JSON array in pieces. */
export const streamListable = (database: Database, salesChannelId: string, traderId: string): AsyncGenerator<Buffer> =>
  jsonArray(
    streamRows<BundleRow>(
      database,
      `select ${bundleColumns} from ${bundleTables}
       where b.owner_id = ? and b.state = 'LISTABLE' and b.sales_channel_id = ? and ${notExpired} order by b.issuance_id, b.last`,
      [traderId, salesChannelId],
    ),
    renderListable,
  );

interface CertificateRow extends BundleRow {
  owner_id: string;
  sales_channel_id: string | null;
  state: string;
}

/** States in which certificates are still in use; what was offramped is held by its account holder again. */
const active = "b.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')";

function renderCertificates(row: CertificateRow): string {
  return JSON.stringify({
    certificateId: certificateIdOf(row),
    issuanceId: row.issuance_id,
    ...rangeOf(row),
    ownerType: row.sales_channel_id === null ? 'ACCOUNT_HOLDER' : 'TRADER',
    ownerId: row.owner_id,
    salesChannelId: row.sales_channel_id,
    status: row.state === 'OFFRAMPED' ? 'HELD' : row.state,
    expirationDate: row.expiration_date,
  });
}

/** A page of the active bundles of the whole registry, with their owners. */
export async function pageOfCertificates(
  em: EntityManager,
  limit: number,
  offset: string,
): Promise<{ total: string; data: Buffer }> {
  const where = `where ${active} and ${notExpired}`;
  const [count] = await query<{ total: string }>(
    em,
    `select count(*)::text as total from bundle b join issuance i on i.id = b.issuance_id ${where}`,
  );
  const rows = await query<CertificateRow>(
    em,
    `select ${bundleColumns}, b.owner_id, b.sales_channel_id, b.state from ${bundleTables} ${where}
     order by i.created_at, b.issuance_id, b.last limit ? offset ?`,
    [limit, offset],
  );
  return { total: count?.total ?? '0', data: Buffer.from(`[${rows.map(renderCertificates).join(',')}]`) };
}
