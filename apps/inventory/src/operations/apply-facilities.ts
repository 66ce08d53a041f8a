import { recordAudit, REGISTRY_SCOPE } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { Facility } from '../domain/facility.ts';
import { upsertFacility, isConcurrentCreation } from '../store/facilities.ts';
import { checkFence, type ImportFence } from '../store/import-fence.ts';

const MAX_ATTEMPTS = 3;

type Outcome = Awaited<ReturnType<typeof upsertFacility>>['outcome'];

/**
 * Creates or updates facilities by code, in order, each in its own transaction.
 * @throws DomainError 'forbidden' for an import that another replica has taken over
 */
export async function applyFacilities(
  database: Database,
  facilities: readonly Facility[],
  actor: Actor,
  fence: ImportFence = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const facility of facilities) outcomes.push(await applyFacility(database, facility, actor, fence));
  return outcomes;
}

async function applyFacility(
  database: Database,
  facility: Facility,
  actor: Actor,
  fence: ImportFence,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (em) => {
        await checkFence(em, fence);
        const { outcome, ...put } = await upsertFacility(em, facility);
        if (!('code' in put)) return outcome;
        const { code: id, ...contents } = put;
        const action = outcome === 'CREATED' ? 'inventory.facility.created' : 'inventory.facility.updated';
        const act = { action, subject: { type: 'production-facility', id }, ...contents } as const;
        await recordAudit(em, [{ ...act, scopes: [REGISTRY_SCOPE], actor }]);
        return outcome;
      });
    } catch (error) {
      if (!isConcurrentCreation(error) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}
