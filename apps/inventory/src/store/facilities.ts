import { isoTimestamp, query, type EntityManager } from '@saleschannel/database';
import type { ProductionFacility, RegistryFacility, Supplier } from '../rpc/messages.ts';

interface FacilityRow {
  id: string;
  code: string;
  gsrn: string | null;
  name: string;
  country_code: string;
  methodology_codes: string[];
  supplier_id: string;
  supplier_name: string;
  crediting_start: string | null;
  crediting_end: string | null;
}

const columns = `f.id, f.code, f.gsrn, f.name, f.country_code, f.methodology_codes, f.supplier_id, s.name as supplier_name,
  ${isoTimestamp('f.crediting_start')} as crediting_start, ${isoTimestamp('f.crediting_end')} as crediting_end`;
const tables = 'production_facility f join supplier s on s.id = f.supplier_id';

const forChannel = (row: FacilityRow): ProductionFacility => ({
  id: row.id,
  gsrn: row.gsrn ?? undefined,
  code: row.code,
  name: row.name,
  countryCode: row.country_code,
  methodologyCodes: row.methodology_codes,
});

const forRegistry = (row: FacilityRow): RegistryFacility => ({
  id: row.id,
  code: row.code,
  gsrn: row.gsrn ?? undefined,
  name: row.name,
  country: row.country_code,
  methodologyCodes: row.methodology_codes,
  supplier: row.supplier_name,
  supplierId: row.supplier_id,
  creditingPeriod:
    row.crediting_start && row.crediting_end ? { start: row.crediting_start, end: row.crediting_end } : null,
});

export async function findFacility(em: EntityManager, id: string): Promise<ProductionFacility | undefined> {
  const [row] = await query<FacilityRow>(em, `select ${columns} from ${tables} where f.id = ?`, [id]);
  return row && forChannel(row);
}

const FACILITIES_PER_PAGE = 500;

/** All facilities, by code, a page of memory at a time. */
export async function* streamFacilities(em: () => EntityManager): AsyncGenerator<ProductionFacility> {
  for (let after = ''; ;) {
    const rows = await query<FacilityRow>(
      em(),
      `select ${columns} from ${tables} where f.code > ? order by f.code limit ${FACILITIES_PER_PAGE}`,
      [after],
    );
    for (const row of rows) yield forChannel(row);
    if (rows.length < FACILITIES_PER_PAGE) return;
    after = rows.at(-1)?.code ?? '';
  }
}

export async function findSupplier(em: EntityManager, id: string): Promise<Supplier | undefined> {
  const [row] = await query<{ id: string; name: string; country_code: string }>(
    em,
    'select id, name, country_code from supplier where id = ?',
    [id],
  );
  return row && { id: row.id, name: row.name, countryCode: row.country_code };
}

export async function findFacilityByCode(em: EntityManager, code: string): Promise<RegistryFacility | undefined> {
  const [row] = await query<FacilityRow>(em, `select ${columns} from ${tables} where f.code = ?`, [code]);
  return row && forRegistry(row);
}

export async function pageOfFacilities(
  em: EntityManager,
  limit: number,
  offset: string,
): Promise<{ total: string; facilities: RegistryFacility[] }> {
  const [count] = await query<{ total: string }>(em, 'select count(*)::text as total from production_facility');
  const rows = await query<FacilityRow>(em, `select ${columns} from ${tables} order by f.code limit ? offset ?`, [
    limit,
    offset,
  ]);
  return { total: count?.total ?? '0', facilities: rows.map(forRegistry) };
}
