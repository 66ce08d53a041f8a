import {
  query,
  recordset,
  sql,
  type EntityManager,
  isoTimestamp,
  join,
  Keyset,
  queryFirst,
  readTotal,
  type PageRequest,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';
import type { Issuance } from '../domain/issuance.ts';
import type { FacilityTerms } from './facilities.ts';

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

const viewColumns = sql`
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
      sql`select ${viewColumns}, ${key} from issuance
          where ${matchesFilter(filter)} and ${after} order by ${order} ${rows}`,
  );
  const { facilityId = '*', vintage = '*', accountHolderId = '*' } = filter;
  return { ...part, total: await readTotal(em, 'issuance', [`${facilityId}/${vintage}/${accountHolderId}`]) };
}

export const findIssuance = (em: EntityManager, issuanceId: string): Promise<IssuanceView | undefined> =>
  queryFirst(em, sql`select ${viewColumns} from issuance where issuance.id = ${issuanceId}::uuid`);

/** An issuance with the members of its facility that it keeps. */
export interface NewIssuance extends Omit<Issuance, 'productionFacilityCode'>, FacilityTerms {}

const columnTypes = {
  issuanceId: 'uuid',
  facilityId: 'text',
  standard: 'text',
  registry: 'text',
  creditType: 'text',
  creditTypeId: 'text',
  methodologyCode: 'text',
  vintage: 'int',
  productionStartDate: 'timestamptz',
  productionEndDate: 'timestamptz',
  issuingDate: 'timestamptz',
  expirationDate: 'timestamptz',
  firstSerial: 'numeric',
  lastSerial: 'numeric',
  serialWidth: 'int',
  accountHolderId: 'text',
  salesChannelId: 'text',
  traderId: 'text',
} as const;

const columns = sql`
  id, facility_id, standard, registry, credit_type, credit_type_id, methodology_code, vintage, production_start,
  production_end, issuing_date, expiration_date, first_serial, last_serial, serial_width, account_holder_id,
  sales_channel_id, trader_id`;

/** The values of {@link columns}, in their order. */
const given = sql`
  given."issuanceId", given."facilityId", given.standard, given.registry, given."creditType", given."creditTypeId",
  given."methodologyCode", given.vintage, given."productionStartDate", given."productionEndDate", given."issuingDate",
  given."expirationDate", given."firstSerial", given."lastSerial", given."serialWidth", given."accountHolderId",
  given."salesChannelId", given."traderId"`;

/** Members of the facility that the issuance keeps, even if the facility changes. */
const asIssuedTypes = { facilityCode: 'text', countryCode: 'text', gsrn: 'text', supplierId: 'text' } as const;
const asIssued = sql`facility_code, country_code, gsrn, supplier_id`;
const givenAsIssued = sql`given."facilityCode", given."countryCode", given.gsrn, given."supplierId"`;

/**
 * Inserts issuances with new ids, each with the chain of its one bundle, between ROOT and END, and with the transaction
 * of the same id.
 * @param at ISO 8601, whole milliseconds
 * @returns the new ids
 */
export async function insertIssuances(
  em: EntityManager,
  issuances: readonly NewIssuance[],
  at: string,
): Promise<Set<string>> {
  const inserted: { id: string }[] = await query(
    em,
    sql`with issued as (
          insert into issuance (${columns}, ${asIssued}) select ${given}, ${givenAsIssued}
          from ${recordset('given', { ...columnTypes, ...asIssuedTypes }, issuances)}
          on conflict (id) do nothing
          returning id, first_serial, last_serial, account_holder_id, sales_channel_id, trader_id
        ), chain as (
          insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
          select issued.id, link.previous_last, link.last, link.state, link.owner_id, link.sales_channel_id
          from issued cross join lateral (values
            (null, first_serial - 1, 'ROOT', null, null),
            (
              first_serial - 1, last_serial, case when trader_id is null then 'HELD' else 'LISTABLE' end,
              coalesce(trader_id, account_holder_id), issued.sales_channel_id
            ),
            (last_serial, null, 'END', null, null)
          ) as link(previous_last, last, state, owner_id, sales_channel_id)
          returning id, issuance_id, previous_last, last, owner_id
        ), head as (
          insert into ledger_transaction (
            id, type, status, sales_channel_id, buyer_id, account_holder_id, created_at, completed_at
          )
          select id::text, 'ISSUANCE', 'SUCCESS', sales_channel_id, coalesce(trader_id, account_holder_id),
            account_holder_id, ${at}::timestamptz, ${at}::timestamptz
          from issued
        ), line as (
          insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
          select issuance_id::text, 0, issuance_id, previous_last + 1, last, id from chain where owner_id is not null
        )
        select id from issued`,
  );
  return new Set(inserted.map(({ id }) => id));
}

/** Checks the chains of new issuances now instead of at commit. */
export const checkChains = async (em: EntityManager): Promise<void> =>
  void (await query(em, sql`set constraints all immediate`));

/** An issuance with its index in the request. */
export interface IndexedIssuance extends NewIssuance {
  readonly index: number;
}

/**
 * Returns the indexes of issuances that are stored with exactly this content. Ignores the kept members of the
 * facility.
 */
export async function findSameIssuances(
  em: EntityManager,
  issuances: readonly IndexedIssuance[],
): Promise<Set<number>> {
  if (issuances.length === 0) return new Set();
  const rows: { index: number }[] = await query(
    em,
    sql`select given.index from ${recordset('given', { ...columnTypes, index: 'int' }, issuances)}
        join (select ${columns} from issuance) as stored on stored.id = given."issuanceId"
        where row(${given}) is not distinct from row(stored.*)`,
  );
  return new Set(rows.map(({ index }) => index));
}
