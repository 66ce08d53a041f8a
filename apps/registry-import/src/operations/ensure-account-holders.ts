import type { EntityManager } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import { sameContent, type AccountHolder, type AccountHolderContent } from '../domain/account-holder.ts';
import { findByBusinessIds, insertNew } from '../store/account-holders.ts';

export interface Ensured {
  readonly holder: AccountHolder;
  readonly created: boolean;
  /** Whether the stored content is the one asked for. */
  readonly agrees: boolean;
}

/** A business id can change hands between the insert that met it and the look-up that misses it; not this often. */
const ROUNDS_AT_MOST = 5;

/**
 * Creates the account holders whose business id is new and answers with the stored ones for the others, in the order of the request: the unique
 * constraint decides between concurrent creations. Runs in the caller's transaction.
 */
export async function ensureAccountHolders(
  em: EntityManager,
  contents: readonly AccountHolderContent[],
): Promise<Ensured[]> {
  const stored = new Map<string, AccountHolder>();
  const createdIds = new Set<string>();
  for (let round = 0; round < ROUNDS_AT_MOST; round++) {
    const missing = contents.filter((content) => !stored.has(content.businessId));
    if (missing.length === 0) break;
    const inserted = await insertNew(
      em,
      missing.map((content) => ({ id: newId(), content })),
    );
    for (const holder of inserted) createdIds.add(holder.id);
    const met = await findByBusinessIds(
      em,
      missing.map((content) => content.businessId),
    );
    for (const holder of met) stored.set(holder.businessId, holder);
  }
  return contents.map((content) => {
    const holder = stored.get(content.businessId);
    if (!holder) throw new DomainError('unavailable', 'The account holder is being changed.', { retryAfterSeconds: 1 });
    return { holder, created: createdIds.delete(holder.id), agrees: sameContent(holder, content) };
  });
}
