import { isDeepStrictEqual } from 'node:util';
import {
  nameContains,
  isoTimestamp,
  Keyset,
  lockNames,
  query,
  queryFirst,
  sql,
  sqlState,
  readTotal,
  UNIQUE_VIOLATION,
  type EntityManager,
  type ListPart,
  type PageRequest,
  type PageWithTotal,
  type Sql,
} from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { toComparisonKey } from '@saleschannel/primitives/validation';
import type { DomainError } from '@saleschannel/errors';
import { findContradictions, refuseContradictions, type Facility } from '../domain/facility.ts';

export interface FacilityRow {
  readonly id: string;
  readonly code: string;
  readonly gsrn: string | null;
  readonly name: string;
  readonly countryCode: string;
  readonly methodologyCodes: string[];
  readonly supplierId: string;
  readonly supplierName: string;
  readonly creditingStart: string | null;
  readonly creditingEnd: string | null;
}

const facilityColumns = sql`
  facility.id, facility.code, facility.gsrn, facility.name, facility.country_code as "countryCode",
  facility.methodology_codes as "methodologyCodes", facility.supplier_id as "supplierId",
  supplier.name as "supplierName", ${isoTimestamp('facility.crediting_start')} as "creditingStart",
  ${isoTimestamp('facility.crediting_end')} as "creditingEnd"`;

const facilityTables = sql`production_facility as facility join supplier on supplier.id = facility.supplier_id`;

export const findFacility = (em: EntityManager, id: string): Promise<FacilityRow | undefined> =>
  queryFirst(em, sql`select ${facilityColumns} from ${facilityTables} where facility.id = ${id}`);

/** Ignores the case of the code. */
export const findFacilityByCode = (em: EntityManager, code: string): Promise<FacilityRow | undefined> =>
  queryFirst(
    em,
    sql`select ${facilityColumns} from ${facilityTables}
        where lower(facility.code collate "C") = lower(${code} collate "C")`,
  );

const byCode = new Keyset('facilities', [{ column: 'facility.code', type: 'text' }]);

/** Forces the use of the index on names. A generic plan would scan all facilities in order. */
const withNamePart = (part: string): Sql => sql`(
  select * from production_facility
  where ${nameContains({ name: sql`production_facility.name`, scope: sql`''` }, '', part)} offset 0
) as facility join supplier on supplier.id = facility.supplier_id`;

/**
 * Selects a page of facilities by code.
 * @param namePart text within the name
 */
export const selectFacilities = (
  em: EntityManager,
  page: PageRequest,
  namePart?: string,
): Promise<ListPart<FacilityRow>> => {
  const source = namePart === undefined ? facilityTables : withNamePart(namePart);
  return byCode.page(
    em,
    namePart === undefined ? page : { ...page, scope: namePart },
    ({ key, after, order, rows }) =>
      sql`select ${facilityColumns}, ${key} from ${source} where ${after} order by ${order} ${rows}`,
  );
};

/** Selects a page of facilities by code, with the total. */
export const selectFacilitiesWithTotal = async (
  em: EntityManager,
  page: PageRequest,
): Promise<PageWithTotal<FacilityRow>> => ({
  ...(await selectFacilities(em, page)),
  total: await readTotal(em, 'facility', ['']),
});

/** Members of a facility that its issuances keep. */
export interface FacilityTerms {
  readonly facilityId: string;
  readonly facilityCode: string;
  readonly countryCode: string;
  readonly gsrn: string | null;
  readonly supplierId: string;
}

/**
 * Reads the facilities with these codes, ignoring case, and locks the members that issuances keep until the transaction
 * ends. Skips unknown codes.
 */
export async function lockFacilities(
  em: EntityManager,
  codes: readonly string[],
): Promise<(code: string) => FacilityTerms | undefined> {
  const lowerCaseCodes = [...new Set(codes.map((code) => code.toLowerCase()))];
  const rows = await query<FacilityTerms>(
    em,
    sql`select id as "facilityId", code as "facilityCode", country_code as "countryCode", gsrn,
          supplier_id as "supplierId"
        from production_facility where lower(code collate "C") = any(${lowerCaseCodes}::text[])
        order by id for key share`,
  );
  const byCode = new Map(rows.map((facility) => [facility.facilityCode.toLowerCase(), facility]));
  return (code) => byCode.get(code.toLowerCase());
}

export interface SupplierRow {
  readonly id: string;
  readonly name: string;
  readonly countryCode: string;
}

export const findSupplier = (em: EntityManager, id: string): Promise<SupplierRow | undefined> =>
  queryFirst(em, sql`select id, name, country_code as "countryCode" from supplier where id = ${id}`);

/** Outcome for a facility, with its stored code and content. */
type PutOutcome =
  | { readonly outcome: 'UNCHANGED' | DomainError }
  | { readonly outcome: 'CREATED'; readonly code: string; readonly after: FacilityContent }
  | {
      readonly outcome: 'UPDATED';
      readonly code: string;
      readonly before: FacilityContent;
      readonly after: FacilityContent;
    };

/**
 * Creates the facility, or updates the one with its code, which keeps its first spelling. A new supplier name creates a
 * supplier. A missing crediting period clears the stored one, a missing GSRN keeps it.
 * @returns a refusal for a change of fixed members
 */
export async function upsertFacility(
  em: EntityManager,
  { code, name, supplier: supplierName, country, methodologyCodes, gsrn, creditingPeriod }: Facility,
): Promise<PutOutcome> {
  const stored = await lockFacility(em, code);
  if (stored) {
    const fixed = {
      gsrn: stored.gsrn ?? null,
      country: (await hasIssuances(em, stored.id)) ? stored.countryCode : null,
    };
    const faults = findContradictions({ gsrn, country }, fixed);
    if (faults.length > 0) return { outcome: refuseContradictions(faults) };
  }
  const supplier = (await findSupplierByName(em, supplierName)) ?? (await createSupplier(em, supplierName, country));
  const after: FacilityContent = {
    gsrn: gsrn ?? stored?.gsrn ?? null,
    name,
    country,
    methodologyCodes,
    supplier: supplier.name,
    creditingPeriod: creditingPeriod && {
      start: creditingPeriod.start.toISOString(),
      end: creditingPeriod.end.toISOString(),
    },
  };
  if (!stored) {
    await insertFacility(em, code, supplier.id, after);
    return { outcome: 'CREATED', code, after };
  }
  const before = toContent(stored);
  if (isDeepStrictEqual(after, before)) return { outcome: 'UNCHANGED' };
  await updateFacility(em, stored.id, supplier.id, after);
  return { outcome: 'UPDATED', code: stored.code, before, after };
}

/**
 * Finds the supplier whose name has the same comparison key, and keeps other transactions from creating one until this
 * transaction ends. Older releases stored names unchanged, so several suppliers may match.
 */
async function findSupplierByName(em: EntityManager, name: string): Promise<SupplierRow | undefined> {
  await lockNames(em, [`supplier/${toComparisonKey(name)}`]);
  return queryFirst(
    em,
    sql`select id, name, country_code as "countryCode" from supplier
        where comparison_key(name) = comparison_key(${name}::text)
        order by name = ${name}::text desc, created_at, id limit 1`,
  );
}

async function createSupplier(em: EntityManager, name: string, countryCode: string): Promise<SupplierRow> {
  const supplier = { id: newId(), name, countryCode };
  await query(em, sql`insert into supplier (id, name, country_code) values (${supplier.id}, ${name}, ${countryCode})`);
  return supplier;
}

/**
 * Also blocks new issuances, which would fix the country. Reads the facility in a second statement: a join in the first
 * would miss a supplier that a concurrent transaction has just given it.
 */
async function lockFacility(em: EntityManager, code: string): Promise<FacilityRow | undefined> {
  const locked = await queryFirst<{ id: string }>(
    em,
    sql`select id from production_facility where lower(code collate "C") = lower(${code} collate "C") for update`,
  );
  return locked && findFacility(em, locked.id);
}

const insertFacility = (
  em: EntityManager,
  code: string,
  supplierId: string,
  { gsrn, name, country, methodologyCodes, creditingPeriod }: FacilityContent,
): Promise<unknown> =>
  query(
    em,
    sql`insert into production_facility (
          id, code, gsrn, name, country_code, methodology_codes, supplier_id, crediting_start, crediting_end
        )
        values (
          ${newId()}, ${code}, ${gsrn}, ${name}, ${country}, ${JSON.stringify(methodologyCodes)}::jsonb, ${supplierId},
          ${creditingPeriod?.start ?? null}::timestamptz, ${creditingPeriod?.end ?? null}::timestamptz
        )`,
  );

const updateFacility = (
  em: EntityManager,
  id: string,
  supplierId: string,
  { gsrn, name, country, methodologyCodes, creditingPeriod }: FacilityContent,
): Promise<unknown> =>
  query(
    em,
    sql`update production_facility set gsrn = ${gsrn}, name = ${name}, country_code = ${country},
          methodology_codes = ${JSON.stringify(methodologyCodes)}::jsonb, supplier_id = ${supplierId},
          crediting_start = ${creditingPeriod?.start ?? null}::timestamptz,
          crediting_end = ${creditingPeriod?.end ?? null}::timestamptz, updated_at = now()
        where id = ${id}`,
  );

const hasIssuances = async (em: EntityManager, facilityId: string): Promise<boolean> =>
  (await queryFirst(em, sql`select 1 from issuance where facility_id = ${facilityId} limit 1`)) !== undefined;

/** True if another transaction created the same facility or supplier concurrently. A retry finds it. */
export const isConcurrentCreation = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

/** Members that a registry may change, as the audit trail shows them. */
type FacilityContent = {
  readonly gsrn: string | null;
  readonly name: string;
  readonly country: string;
  readonly methodologyCodes: readonly string[];
  readonly supplier: string;
  readonly creditingPeriod: { readonly start: string; readonly end: string } | null;
};

const toContent = ({ supplierName, creditingStart, creditingEnd, ...facility }: FacilityRow): FacilityContent => ({
  gsrn: facility.gsrn,
  name: facility.name,
  country: facility.countryCode,
  methodologyCodes: facility.methodologyCodes,
  supplier: supplierName,
  creditingPeriod:
    creditingStart === null || creditingEnd === null ? null : { start: creditingStart, end: creditingEnd },
});
