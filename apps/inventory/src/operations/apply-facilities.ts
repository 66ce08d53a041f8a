import type { Database } from '@saleschannel/database';
import type { Facility } from '../domain/facility.ts';
import { putFacility, wasMadeMeanwhile } from '../store/facilities.ts';

const ATTEMPTS_AT_MOST = 3;

type Outcome = Awaited<ReturnType<typeof putFacility>>;

/** Makes or changes facilities by code, each in a transaction of its own, in their order. */
export async function applyFacilities(database: Database, facilities: readonly Facility[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const facility of facilities) outcomes.push(await applyFacility(database, facility));
  return outcomes;
}

async function applyFacility(database: Database, facility: Facility): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction((em) => putFacility(em, facility));
    } catch (error) {
      if (!wasMadeMeanwhile(error) || attempt >= ATTEMPTS_AT_MOST) throw error;
    }
  }
}
