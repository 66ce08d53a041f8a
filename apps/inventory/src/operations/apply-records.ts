import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { DomainError } from '@saleschannel/errors';
import { recordOnce } from '@saleschannel/idempotency';
import type { Clock } from '@saleschannel/primitives';
import { isStorable } from '@saleschannel/primitives/validation';
import { refuseContradiction, refuseUnknownFacility, type Issuance } from '../domain/issuance.ts';
import { lockFacilities } from '../store/facilities.ts';
import { checkFence, type ImportFence } from '../store/import-fence.ts';
import { checkChains, findSameIssuances, insertIssuances, type IndexedIssuance } from '../store/issuances.ts';

type IssuanceOutcome = 'CREATED' | 'UNCHANGED' | DomainError;

/**
 * Creates issuances of one bundle each, in one transaction. An issuance whose id is stored stays unchanged if the
 * content is equal, and is refused otherwise, as is one with an unknown facility. Refusals do not affect the others.
 * @throws DomainError 'forbidden' for an import that another replica has taken over
 */
export const applyIssuances = (
  database: Database,
  clock: Clock,
  issuances: readonly Issuance[],
  actor: Actor,
  fence: ImportFence = {},
): Promise<IssuanceOutcome[]> =>
  database.transaction(async (em) => {
    await checkFence(em, fence);
    const codes = issuances.map(({ productionFacilityCode }) => productionFacilityCode).filter(isStorable);
    const facilityOf = await lockFacilities(em, codes);
    const complete = issuances.flatMap(({ productionFacilityCode, ...issuance }, index) => {
      const facility = facilityOf(productionFacilityCode);
      return facility === undefined ? [] : [{ ...issuance, ...facility, index }];
    });
    const unique = selectFirstById(complete);
    const ids = await insertIssuances(em, unique, clock.now().toISOString());
    const inserted = unique.filter(({ issuanceId }) => ids.has(issuanceId));
    const created = new Set(inserted.map(({ index }) => index));
    const same = await findSameIssuances(
      em,
      complete.filter(({ index }) => !created.has(index)),
    );
    // Other transactions wait for the audit heads, so all checks run before locking them.
    await checkChains(em);
    const inOrder = complete.filter(({ index }) => created.has(index));
    await recordAudit(
      em,
      inOrder.map((issuance) => toAct(issuance, actor)),
    );
    return issuances.map(({ productionFacilityCode }, index) => {
      if (created.has(index)) return 'CREATED';
      if (same.has(index)) return 'UNCHANGED';
      return facilityOf(productionFacilityCode) ? refuseContradiction() : refuseUnknownFacility();
    });
  });

const toAct = ({ issuanceId: id, ...issuance }: IndexedIssuance, actor: Actor): Act => {
  const { facilityId, accountHolderId, salesChannelId, firstSerial, lastSerial } = issuance;
  // Parts of the certificate ids.
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

/** Selects the first issuance of each id. Sorted by id, so that concurrent batches with equal ids do not deadlock. */
function selectFirstById(issuances: readonly IndexedIssuance[]): IndexedIssuance[] {
  const byId = new Map<string, IndexedIssuance>();
  for (const issuance of issuances) if (!byId.has(issuance.issuanceId)) byId.set(issuance.issuanceId, issuance);
  return [...byId.values()].toSorted((a, b) => (a.issuanceId < b.issuanceId ? -1 : 1));
}

interface RepeatableRequest {
  readonly scope: string;
  readonly key: string;
  readonly digest: string;
}

/**
 * Creates an issuance once per key. A repeat returns the first outcome, as long as the issuance exists.
 * @throws DomainError with the reason of a refusal, or 'idempotency-key-reused' after another request with the key
 */
export async function issueOnce(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  issuance: Issuance,
  actor: Actor,
  { digest: request, ...keyed }: RepeatableRequest,
): Promise<{ outcomes: readonly IssuanceOutcome[]; replayed: boolean }> {
  const { made, replayed } = await recordOnce<readonly IssuanceOutcome[]>(
    'ledger.ApplyIssuances',
    { database, ...keyed, request },
    (transactional) => applyIssuances(transactional, clock, [issuance], actor),
    { toId: requireSuccess, load: (_em, outcome) => [outcome as 'CREATED' | 'UNCHANGED'] },
  );
  return { outcomes: made, replayed };
}

/** @throws DomainError for a refusal, so that the key stays unused */
function requireSuccess([outcome]: readonly IssuanceOutcome[]): string {
  if (typeof outcome === 'string') return outcome;
  throw outcome ?? new Error('an issuance has no outcome');
}
