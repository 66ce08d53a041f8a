import { recordAudit, REGISTRY_SCOPE, type Act } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { EntityManager } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { toComparisonKey } from '@saleschannel/primitives/validation';
import { hasSameContent, type AccountHolder, type AccountHolderContent } from '../domain/account-holder.ts';
import { findByBusinessIds, insertNewAccountHolders } from '../store/account-holders.ts';

export interface EnsuredAccountHolder {
  readonly accountHolder: AccountHolder;
  readonly created: boolean;
  /** True if the stored content equals the requested one. */
  readonly agrees: boolean;
}

const toCreation = ({ id, businessId, autoApproval }: AccountHolder, actor: Actor): Act => ({
  scopes: [REGISTRY_SCOPE],
  actor,
  action: 'registry-import.account-holder.created',
  subject: { type: 'account-holder', id },
  after: { businessId, autoApproval },
});

/** A business id may change hands between insert and look-up, but not this often. */
const MAX_ROUNDS = 5;

/**
 * Creates account holders whose business id is new, and returns the stored ones for the others, in the order of the
 * request. The unique constraint decides between concurrent creations. Must end the caller's transaction.
 * @throws DomainError 'unavailable' if business ids keep changing hands
 */
export async function ensureAccountHolders(
  em: EntityManager,
  contents: readonly AccountHolderContent[],
  actor: Actor,
): Promise<EnsuredAccountHolder[]> {
  const stored = new Map<string, AccountHolder>();
  const createdIds = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = contents.filter(({ businessId }) => !stored.has(businessId));
    if (missing.length === 0) break;
    const inserted = await insertNewAccountHolders(
      em,
      missing.map((content) => ({ id: newId(), content })),
    );
    for (const id of inserted) createdIds.add(id);
    const businessIds = missing.map(({ businessId }) => businessId);
    for (const found of await findByBusinessIds(em, businessIds)) stored.set(toComparisonKey(found.businessId), found);
  }
  const acts = [...stored.values()].filter(({ id }) => createdIds.has(id)).map((holder) => toCreation(holder, actor));
  await recordAudit(em, acts);
  return contents.map((content) => {
    const accountHolder = stored.get(content.businessId);
    if (!accountHolder) {
      throw new DomainError('unavailable', 'The account holder is being changed.', { retryAfterSeconds: 1 });
    }
    return {
      accountHolder,
      created: createdIds.delete(accountHolder.id),
      agrees: hasSameContent(accountHolder, content),
    };
  });
}
