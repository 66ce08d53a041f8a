import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database, EntityManager } from '@saleschannel/database';
import type { DomainError } from '@saleschannel/errors';
import type { Clock } from '@saleschannel/primitives';
import { isStorable } from '@saleschannel/validation';
import { BundleBook } from '../domain/bundle-book.ts';
import type { Bundle } from '../domain/bundle.ts';
import { contradiction, unknownFacility, type Issuance } from '../domain/issuance.ts';
import type { NewTransaction } from '../domain/transaction.ts';
import { saveBook } from '../store/bundles.ts';
import { lockFacilities } from '../store/facilities.ts';
import { passFence } from '../store/import-fence.ts';
import { findSameIssuances, insertIssuances, type NewIssuance, type PlacedIssuance } from '../store/issuances.ts';
import { insertTransactions } from '../store/transactions.ts';

type Outcome = 'CREATED' | 'UNCHANGED' | DomainError;

/**
 * Makes issuances of one bundle each, in one transaction. One whose id is stored is left as it is when its content is
 * the same. It is refused when its content is another one, or when its facility is not known. The others go on.
 * @param fence of an import, the number of its lease
 * @throws DomainError 'forbidden' for an import that somebody else has taken over
 */
export const applyIssuances = (
  database: Database,
  clock: Clock,
  issuances: readonly Issuance[],
  actor: Actor,
  fence?: string,
): Promise<Outcome[]> =>
  database.transaction(async (em) => {
    await passFence(em, fence);
    const codes = issuances.map(({ productionFacilityCode }) => productionFacilityCode).filter(isStorable);
    const facilityOf = await lockFacilities(em, codes);
    const complete = issuances.flatMap(({ productionFacilityCode, ...issuance }, place) => {
      const facility = facilityOf(productionFacilityCode);
      return facility === undefined ? [] : [{ ...issuance, ...facility, place }];
    });
    const created = await createIssuances(em, firstOfEachId(complete), clock.now().toISOString());
    await recordAudit(
      em,
      complete.filter(({ place }) => created.has(place)).map((issuance) => creationOf(issuance, actor)),
    );
    const stored = complete.filter(({ place }) => !created.has(place));
    const same = await findSameIssuances(em, stored);
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

/** Stores those whose id is new. Returns their places. */
async function createIssuances(
  em: EntityManager,
  issuances: readonly PlacedIssuance[],
  at: string,
): Promise<Set<number>> {
  const ids = await insertIssuances(em, issuances);
  const created = issuances.filter(({ issuanceId }) => ids.has(issuanceId));
  await openBundles(em, created, at);
  return new Set(created.map(({ place }) => place));
}

/** Stores the one bundle of each new issuance, and the transaction that bears its id. */
async function openBundles(em: EntityManager, issuances: readonly NewIssuance[], at: string): Promise<void> {
  const book = new BundleBook();
  const transactions = issuances.map((issuance): NewTransaction => {
    const { issuanceId: id, salesChannelId, accountHolderId, firstSerial: first, lastSerial: last } = issuance;
    const bundle: Bundle = {
      id: undefined,
      issuance: { issuanceId: id, form: { width: issuance.serialWidth }, expired: false },
      first,
      last,
      ownerId: issuance.traderId ?? accountHolderId,
      salesChannelId,
      state: issuance.traderId === undefined ? 'HELD' : 'LISTABLE',
    };
    book.open(bundle);
    return {
      id,
      type: 'ISSUANCE',
      status: 'SUCCESS',
      salesChannelId,
      buyerId: bundle.ownerId,
      accountHolderId,
      createdAt: at,
      completedAt: at,
      lines: [{ bundle, first, last }],
    };
  });
  await saveBook(em, book);
  await insertTransactions(em, transactions);
}
