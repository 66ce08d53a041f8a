import { isDeepStrictEqual } from 'node:util';
import {
  UNIQUE_VIOLATION,
  countRows,
  isoTimestamp,
  query,
  queryFirst,
  sql,
  sqlState,
  type Database,
  type EntityManager,
  type PageOf,
} from '@saleschannel/database';
import type { Page } from '@saleschannel/validation';
import { newId } from '@saleschannel/primitives';
import type { Facility } from '../domain/facility.ts';
import { ProductionFacility, Supplier } from './entities.ts';

const PAGE_ROWS = 500;

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

export const findFacilityByCode = (em: EntityManager, code: string): Promise<FacilityRow | undefined> =>
  queryFirst(em, sql`select ${facilityColumns} from ${facilityTables} where facility.code = ${code}`);

/** All facilities by code, read page by page: memory stays flat. */
export async function* listFacilities(database: Database): AsyncGenerator<FacilityRow> {
  // Every code comes after the empty text.
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: FacilityRow[] = await query(
      database.em(),
      sql`select ${facilityColumns} from ${facilityTables}
          where facility.code > ${after} order by facility.code limit ${PAGE_ROWS}`,
    );
    yield* rows;
    after = rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.code;
  }
}

/** A page of the facilities, by code. */
export const pageOfFacilities = async (em: EntityManager, { limit, offset }: Page): Promise<PageOf<FacilityRow>> => ({
  total: await countRows(em, sql`from production_facility`),
  rows: await query(
    em,
    sql`select ${facilityColumns} from ${facilityTables} order by facility.code limit ${limit} offset ${offset}`,
  ),
});

/** Ids of the facilities by code, of those codes that exist. */
export async function findFacilityIds(em: EntityManager, codes: readonly string[]): Promise<Map<string, string>> {
  const rows: { id: string; code: string }[] = await query(
    em,
    sql`select id, code from production_facility where code = any(${codes}::text[])`,
  );
  return new Map(rows.map(({ id, code }) => [code, id]));
}

export interface SupplierRow {
  readonly id: string;
  readonly name: string;
  readonly countryCode: string;
}

export const findSupplier = (em: EntityManager, id: string): Promise<SupplierRow | undefined> =>
  queryFirst(em, sql`select id, name, country_code as "countryCode" from supplier where id = ${id}`);

/**
 * Makes the facility, or changes the one with its code. A supplier is made when its name is new. A missing optional
 * field clears what was stored.
 */
export async function putFacility(
  em: EntityManager,
  { code, name, supplier: supplierName, country, methodologyCodes, gsrn, creditingPeriod }: Facility,
): Promise<{ outcome: 'CREATED' | 'UPDATED' | 'UNCHANGED'; before?: FacilityContent }> {
  const supplier =
    (await em.findOne(Supplier, { name: supplierName })) ??
    em.create(Supplier, { id: newId(), name: supplierName, countryCode: country });
  const content = {
    gsrn: gsrn ?? null,
    name,
    countryCode: country,
    methodologyCodes,
    supplier,
    creditingStart: creditingPeriod?.start ?? null,
    creditingEnd: creditingPeriod?.end ?? null,
  };
  const stored = await em.findOne(ProductionFacility, { code });
  if (!stored) {
    em.create(ProductionFacility, { id: newId(), code, ...content });
    await em.flush();
    return { outcome: 'CREATED' };
  }
  const before = contentOf(stored);
  em.assign(stored, content);
  if (isDeepStrictEqual(contentOf(stored), before)) return { outcome: 'UNCHANGED' };
  await em.flush();
  return { outcome: 'UPDATED', before };
}

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
