import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { DomainError } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import { isStorable } from '@saleschannel/primitives/validation';
import { contradiction, unknownFacility, type Issuance } from '../domain/issuance.ts';
import { lockFacilities } from '../store/facilities.ts';
import { passFence, type ImportFence } from '../store/import-fence.ts';
import { checkChains, findSameIssuances, insertIssuances, type PlacedIssuance } from '../store/issuances.ts';

export type Outcome = 'CREATED' | 'UNCHANGED' | DomainError;

/**
 * Makes issuances of one bundle each, in one transaction. One whose id is stored is left as it is when its content is
 * the same. It is refused when its content is another one, or when its facility is not known. The others go on.
 * @throws DomainError 'forbidden' for an import that somebody else has taken over
 */
export const applyIssuances = (
  database: Database,
  clock: Clock,
  issuances: readonly Issuance[],
  actor: Actor,
  fence: ImportFence = {},
): Promise<Outcome[]> =>
  database.transaction(async (em) => {
    await passFence(em, fence);
    const codes = issuances.map(({ productionFacilityCode }) => productionFacilityCode).filter(isStorable);
    const facilityOf = await lockFacilities(em, codes);
    const complete = issuances.flatMap(({ productionFacilityCode, ...issuance }, place) => {
      const facility = facilityOf(productionFacilityCode);
      return facility === undefined ? [] : [{ ...issuance, ...facility, place }];
    });
    const first = firstOfEachId(complete);
    const ids = await insertIssuances(em, first, clock.now().toISOString());
    const made = first.filter(({ issuanceId }) => ids.has(issuanceId));
    const created = new Set(made.map(({ place }) => place));
    const same = await findSameIssuances(
      em,
      complete.filter(({ place }) => !created.has(place)),
    );
    // Others wait for the ends of the audit trails. Once these are locked, nothing is left to be checked.
    await checkChains(em);
    const inOrder = complete.filter(({ place }) => created.has(place));
    await recordAudit(
      em,
      inOrder.map((issuance) => creationOf(issuance, actor)),
    );
    return issuances.map(({ productionFacilityCode }, place) => {
      if (created.has(place)) return 'CREATED';
      if (same.has(place)) return 'UNCHANGED';
      return facilityOf(productionFacilityCode) ? contradiction() : unknownFacility();
    });
  });

const creationOf = ({ issuanceId: id, ...issuance }: PlacedIssuance, actor: Actor): Act => {
  const { facilityId, accountHolderId, salesChannelId, firstSerial, lastSerial } = issuance;
  // All that certificate ids are made of.
  const { standard, registry, creditType, countryCode, facilityCode, vintage, serialWidth } = issuance;
  const parts = { standard, registry, creditType, countryCode, facilityCode, vintage, serialWidth };
  return {
    scopes: [REGISTRY_SCOPE, ...(salesChannelId === undefined ? [] : [salesChannelId])],
    actor,
    action: 'inventory.issuance.created',
    subject: { type: 'issuance', id },
    after: { facilityId, accountHolderId, firstSerial: String(firstSerial), lastSerial: String(lastSerial), ...parts },
  };
};

/**
 * Of equal ids in one batch only the first can be new. They are in one order, so that two batches with the same ids do
 * not wait for each other in a circle.
 */
function firstOfEachId(issuances: readonly PlacedIssuance[]): PlacedIssuance[] {
  const byId = new Map<string, PlacedIssuance>();
  for (const issuance of issuances) if (!byId.has(issuance.issuanceId)) byId.set(issuance.issuanceId, issuance);
  return [...byId.values()].toSorted((a, b) => (a.issuanceId < b.issuanceId ? -1 : 1));
}
