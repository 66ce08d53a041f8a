import { sqlState, UNIQUE_VIOLATION, type Database, type EntityManager } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import type { ApplyResult, RegistryFacility__Output } from '../rpc/messages.ts';
import { ProductionFacility, Supplier } from '../store/entities.ts';
import { Checks, refusedResult } from './checks.ts';

const ATTEMPTS_AT_MOST = 3;

/** Creates or updates facilities by code, each in a transaction of its own; a missing optional field clears what was stored. */
export async function applyFacilities(
  database: Database,
  facilities: readonly RegistryFacility__Output[],
): Promise<ApplyResult[]> {
  const results: ApplyResult[] = [];
  for (const facility of facilities) {
    results.push(
      await applyFacility(database, facility).then(
        (outcome) => ({ outcome }),
        (error: unknown) => refusedResult(error),
      ),
    );
  }
  return results;
}

function check(facility: RegistryFacility__Output): void {
  const checks = new Checks();
  checks.pattern('code', facility.code, /^[A-Za-z0-9]{6}$/, 'must be six letters or digits');
  checks.text('name', facility.name);
  checks.text('supplier', facility.supplier);
  checks.pattern('country', facility.country, /^[A-Z]{2}$/, 'must be two upper-case letters');
  facility.methodologyCodes.forEach((code, index) => checks.text(`methodologyCodes/${index}`, code, 64));
  if (facility.gsrn !== undefined) checks.text('gsrn', facility.gsrn, 64);
  if (facility.creditingPeriod) {
    const start = checks.instant('creditingPeriod/start', facility.creditingPeriod.start);
    const end = checks.instant('creditingPeriod/end', facility.creditingPeriod.end);
    if (start > end) checks.fail('creditingPeriod/end', 'order', 'must not lie before the start');
  }
  checks.assert();
}

async function applyFacility(
  database: Database,
  facility: RegistryFacility__Output,
): Promise<'CREATED' | 'UPDATED' | 'UNCHANGED'> {
  check(facility);
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction((em) => store(em, facility));
    } catch (error) {
      // Two requests made the same facility or supplier at once: the second one finds it now.
      if (sqlState(error) !== UNIQUE_VIOLATION || attempt >= ATTEMPTS_AT_MOST) throw error;
    }
  }
}

async function store(
  em: EntityManager,
  facility: RegistryFacility__Output,
): Promise<'CREATED' | 'UPDATED' | 'UNCHANGED'> {
  const supplier =
    (await em.findOne(Supplier, { name: facility.supplier })) ??
    em.create(Supplier, { id: newId(), name: facility.supplier, countryCode: facility.country });
  const period = facility.creditingPeriod;
  const fields = {
    gsrn: facility.gsrn ?? null,
    name: facility.name,
    countryCode: facility.country,
    methodologyCodes: facility.methodologyCodes,
    supplier,
    creditingStart: period ? new Date(period.start) : null,
    creditingEnd: period ? new Date(period.end) : null,
  };
  const stored = await em.findOne(ProductionFacility, { code: facility.code });
  if (!stored) {
    em.create(ProductionFacility, { id: newId(), code: facility.code, ...fields });
    await em.flush();
    return 'CREATED';
  }
  const before = JSON.stringify(contentOf(stored));
  em.assign(stored, fields);
  if (JSON.stringify(contentOf(stored)) === before) return 'UNCHANGED';
  await em.flush();
  return 'UPDATED';
}

const contentOf = ({
  gsrn,
  name,
  countryCode,
  methodologyCodes,
  supplier,
  creditingStart,
  creditingEnd,
}: ProductionFacility): unknown[] => [
  gsrn,
  name,
  countryCode,
  methodologyCodes,
  supplier.id,
  creditingStart,
  creditingEnd,
];
