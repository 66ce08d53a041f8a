import { isDeepStrictEqual } from 'node:util';
import {
  hasInName,
  isoTimestamp,
  Keyset,
  lockNames,
  query,
  queryFirst,
  sql,
  sqlState,
  totalOf,
  UNIQUE_VIOLATION,
  type EntityManager,
  type ListPart,
  type PageAsked,
  type PageOf,
  type Sql,
} from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { toComparisonKey } from '@saleschannel/primitives/validation';
import type { DomainError } from '@saleschannel/errors';
import { contradictionsOf, contradicts, type Facility } from '../domain/facility.ts';
import { ProductionFacility, Supplier } from './entities.ts';

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

/** The facility with this code, in upper or lower case. */
export const findFacilityByCode = (em: EntityManager, code: string): Promise<FacilityRow | undefined> =>
  queryFirst(
    em,
    sql`select ${facilityColumns} from ${facilityTables}
        where lower(facility.code collate "C") = lower(${code} collate "C")`,
  );

const byCode = new Keyset('facilities', [{ column: 'facility.code', type: 'text' }]);

/** Found by the index, however few or many they are: a plan for any values would go through all in order. */
const facilitiesNamed = (part: string): Sql => sql`(
  select * from production_facility
  where ${hasInName({ name: sql`production_facility.name`, scope: sql`''` }, '', part)} offset 0
) as facility join supplier on supplier.id = facility.supplier_id`;

/**
 * Some facilities, by code.
 * @param namePart what their names have in them. Undefined: all facilities
 */
export const facilitiesByCode = (
  em: EntityManager,
  asked: PageAsked,
  namePart?: string,
): Promise<ListPart<FacilityRow>> => {
  const source = namePart === undefined ? facilityTables : facilitiesNamed(namePart);
  return byCode.page(
    em,
    namePart === undefined ? asked : { ...asked, scope: namePart },
    ({ key, after, order, rows }) =>
      sql`select ${facilityColumns}, ${key} from ${source} where ${after} order by ${order} ${rows}`,
  );
};

/** A page of the facilities, by code. */
export const pageOfFacilities = async (em: EntityManager, asked: PageAsked): Promise<PageOf<FacilityRow>> => ({
  ...(await facilitiesByCode(em, asked)),
  total: await totalOf(em, 'facility', ['']),
});

/** What an issuance keeps of its facility. */
export interface FacilityTerms {
  readonly facilityId: string;
  readonly facilityCode: string;
  readonly countryCode: string;
  readonly gsrn: string | null;
  readonly supplierId: string;
}

/**
 * The facilities with these codes, in upper or lower case, of those codes that exist. Until the transaction ends nobody
 * changes what an issuance keeps of them.
 */
export async function lockFacilities(
  em: EntityManager,
  codes: readonly string[],
): Promise<(code: string) => FacilityTerms | undefined> {
  const inOneCase = [...new Set(codes.map((code) => code.toLowerCase()))];
  const rows = await query<FacilityTerms>(
    em,
    sql`select id as "facilityId", code as "facilityCode", country_code as "countryCode", gsrn,
          supplier_id as "supplierId"
        from production_facility where lower(code collate "C") = any(${inOneCase}::text[]) order by id for key share`,
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

/** What became of a facility, with its code and content as they are stored now. */
type Put =
  | { readonly outcome: 'UNCHANGED' | DomainError }
  | { readonly outcome: 'CREATED'; readonly code: string; readonly after: FacilityContent }
  | {
      readonly outcome: 'UPDATED';
      readonly code: string;
      readonly before: FacilityContent;
      readonly after: FacilityContent;
    };

/**
 * Makes the facility, or changes the one with its code, which stays as it was first written. A supplier is made when
 * its name is new. A missing crediting period clears what was stored, a missing GSRN does not.
 * @returns the refusal of what contradicts its fixed parts
 */
export async function putFacility(
  em: EntityManager,
  { code, name, supplier: supplierName, country, methodologyCodes, gsrn, creditingPeriod }: Facility,
): Promise<Put> {
  const stored = await lockFacility(em, code);
  if (stored) {
    const fixed = {
      gsrn: stored.gsrn ?? null,
      country: (await hasIssuances(em, stored.id)) ? stored.countryCode : null,
    };
    const faults = contradictionsOf({ gsrn, country }, fixed);
    if (faults.length > 0) return { outcome: contradicts(faults) };
  }
  const supplier =
    (await findSupplierByName(em, supplierName)) ??
    em.entities.create(Supplier, { id: newId(), name: supplierName, countryCode: country });
  const content = {
    gsrn: gsrn ?? stored?.gsrn ?? null,
    name,
    countryCode: country,
    methodologyCodes,
    supplier,
    creditingStart: creditingPeriod?.start ?? null,
    creditingEnd: creditingPeriod?.end ?? null,
  };
  if (!stored) {
    const created = em.entities.create(ProductionFacility, { id: newId(), code, ...content });
    await em.flush();
    return { outcome: 'CREATED', code, after: contentOf(created) };
  }
  const before = contentOf(stored);
  em.entities.assign(stored, content);
  const after = contentOf(stored);
  if (isDeepStrictEqual(after, before)) return { outcome: 'UNCHANGED' };
  await em.flush();
  return { outcome: 'UPDATED', code: stored.code, before, after };
}

/**
 * The supplier with a name that differs in nothing that people see. Until the transaction ends nobody else makes one by
 * such a name. An older release stored names as they came, so there may be several.
 */
async function findSupplierByName(em: EntityManager, name: string): Promise<Supplier | null> {
  await lockNames(em, [`supplier/${toComparisonKey(name)}`]);
  const found = await queryFirst<{ id: string }>(
    em,
    sql`select id from supplier where comparison_key(name) = comparison_key(${name}::text)
        order by name = ${name}::text desc, created_at, id limit 1`,
  );
  return found ? em.entities.findOne(Supplier, { id: found.id }) : null;
}

/** Locked against issuances too, for a new one would fix the country. */
async function lockFacility(em: EntityManager, code: string): Promise<ProductionFacility | null> {
  const locked = await queryFirst<{ id: string }>(
    em,
    sql`select id from production_facility where lower(code collate "C") = lower(${code} collate "C") for update`,
  );
  return locked ? em.entities.findOne(ProductionFacility, { id: locked.id }) : null;
}

const hasIssuances = async (em: EntityManager, facilityId: string): Promise<boolean> =>
  (await queryFirst(em, sql`select 1 from issuance where facility_id = ${facilityId} limit 1`)) !== undefined;

/** Whether another transaction made the same facility or supplier at the same time. Whoever asks again finds it. */
export const wasMadeMeanwhile = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

type FacilityContent = ReturnType<typeof contentOf>;

const contentOf = ({ supplier, creditingStart, creditingEnd, ...facility }: ProductionFacility) => ({
  gsrn: facility.gsrn,
  name: facility.name,
  country: facility.countryCode,
  methodologyCodes: facility.methodologyCodes,
  supplier: supplier.name,
  creditingPeriod: creditingStart && { start: creditingStart, end: creditingEnd },
});
