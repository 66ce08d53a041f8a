import {
  isoTimestamp,
  join,
  Keyset,
  queryFirst,
  sql,
  readTotal,
  type EntityManager,
  type PageRequest,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';

/** An issuance as the registry sees it. Times are ISO 8601, serials in their written form. */
export interface IssuanceView {
  readonly issuanceId: string;
  readonly productionFacilityCode: string;
  readonly standard: string;
  readonly registry: string;
  readonly creditType: string;
  readonly creditTypeId: string;
  readonly methodologyCode: string;
  readonly vintage: number;
  readonly productionStartDate: string;
  readonly productionEndDate: string;
  readonly issuingDate: string;
  readonly expirationDate: string | null;
  readonly firstSerial: string;
  readonly lastSerial: string;
  readonly accountHolderId: string;
  readonly salesChannelId: string | null;
  readonly traderId: string | null;
}

const columns = sql`
  issuance.id as "issuanceId", issuance.facility_code as "productionFacilityCode", issuance.standard, issuance.registry,
  issuance.credit_type as "creditType", issuance.credit_type_id as "creditTypeId",
  issuance.methodology_code as "methodologyCode", issuance.vintage,
  ${isoTimestamp('issuance.production_start')} as "productionStartDate",
  ${isoTimestamp('issuance.production_end')} as "productionEndDate",
  ${isoTimestamp('issuance.issuing_date')} as "issuingDate",
  ${isoTimestamp('issuance.expiration_date')} as "expirationDate",
  lpad(issuance.first_serial::text, greatest(issuance.serial_width, length(issuance.first_serial::text)), '0')
    as "firstSerial",
  lpad(issuance.last_serial::text, greatest(issuance.serial_width, length(issuance.last_serial::text)), '0')
    as "lastSerial",
  issuance.account_holder_id as "accountHolderId", issuance.sales_channel_id as "salesChannelId",
  issuance.trader_id as "traderId"`;

const oldestFirst = new Keyset('issuances', [
  { column: 'issuance.created_at', type: 'timestamptz' },
  { column: 'issuance.id', type: 'uuid' },
]);

export interface IssuanceFilter {
  readonly facilityId?: string | undefined;
  readonly vintage?: number | undefined;
  readonly accountHolderId?: string | undefined;
}

function matchesFilter({ facilityId, vintage, accountHolderId }: IssuanceFilter): Sql {
  const conditions = [sql`true`];
  if (facilityId !== undefined) conditions.push(sql`issuance.facility_id = ${facilityId}`);
  if (vintage !== undefined) conditions.push(sql`issuance.vintage = ${vintage}`);
  if (accountHolderId !== undefined) conditions.push(sql`issuance.account_holder_id = ${accountHolderId}`);
  return join(conditions, ' and ');
}

/** Selects a page of issuances, oldest first. */
export async function selectIssuances(
  em: EntityManager,
  filter: IssuanceFilter,
  page: PageRequest,
): Promise<PageWithTotal<IssuanceView>> {
  const part = await oldestFirst.page<IssuanceView>(
    em,
    { ...page, scope: filter },
    ({ key, after, order, rows }) =>
      sql`select ${columns}, ${key} from issuance
          where ${matchesFilter(filter)} and ${after} order by ${order} ${rows}`,
  );
  const { facilityId = '*', vintage = '*', accountHolderId = '*' } = filter;
  return { ...part, total: await readTotal(em, 'issuance', [`${facilityId}/${vintage}/${accountHolderId}`]) };
}

export const findIssuance = (em: EntityManager, issuanceId: string): Promise<IssuanceView | undefined> =>
  queryFirst(em, sql`select ${columns} from issuance where issuance.id = ${issuanceId}::uuid`);
