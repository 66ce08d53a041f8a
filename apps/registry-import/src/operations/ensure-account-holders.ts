import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { toComparisonKey } from '@saleschannel/primitives/validation';
import { sameContent, type AccountHolder, type AccountHolderContent } from '../domain/account-holder.ts';
import { findByBusinessIds, insertNew } from '../store/account-holders.ts';

export interface EnsuredAccountHolder {
  readonly accountHolder: AccountHolder;
  readonly created: boolean;
  /** Whether the stored content is the one asked for. */
  readonly agrees: boolean;
}

const creationOf = ({ id, businessId, autoApproval }: AccountHolder, actor: Actor): Act => ({
  scopes: [REGISTRY_SCOPE],
  actor,
  action: 'registry-import.account-holder.created',
  subject: { type: 'account-holder', id },
  after: { businessId, autoApproval },
});

/** A business id can change hands between the insert that met it and the look-up that misses it, but not this often. */
const ROUNDS_AT_MOST = 5;

/**
 * Creates the account holders whose business id is new and returns the stored ones for the others, in the order of the
 * request. The unique constraint decides between creations at once. Runs at the end of the caller's transaction.
 * @throws DomainError 'unavailable' when business ids change hands again and again
 */
export async function ensureAccountHolders(
  em: EntityManager,
  contents: readonly AccountHolderContent[],
  actor: Actor,
): Promise<EnsuredAccountHolder[]> {
  const stored = new Map<string, AccountHolder>();
  const createdIds = new Set<string>();
  for (let round = 0; round < ROUNDS_AT_MOST; round++) {
    const missing = contents.filter(({ businessId }) => !stored.has(businessId));
    if (missing.length === 0) break;
    const inserted = await insertNew(
      em,
      missing.map((content) => ({ id: newId(), content })),
    );
    for (const id of inserted) createdIds.add(id);
    const businessIds = missing.map(({ businessId }) => businessId);
    for (const found of await findByBusinessIds(em, businessIds)) stored.set(toComparisonKey(found.businessId), found);
  }
  const acts = [...stored.values()].filter(({ id }) => createdIds.has(id)).map((holder) => creationOf(holder, actor));
  await recordAudit(em, acts);
  return contents.map((content) => {
    const accountHolder = stored.get(content.businessId);
    if (!accountHolder) {
      throw new DomainError('unavailable', 'The account holder is being changed.', { retryAfterSeconds: 1 });
    }
    return {
      accountHolder,
      created: createdIds.delete(accountHolder.id),
      agrees: sameContent(accountHolder, content),
    };
  });
}
